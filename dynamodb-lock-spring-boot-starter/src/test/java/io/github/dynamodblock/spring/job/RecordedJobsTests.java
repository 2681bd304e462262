/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import io.github.dynamodblock.recorded.RecordedItems;
import io.github.dynamodblock.recorded.RecordedItems.RecordedItem;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Job records that this and earlier versions wrote.
 * {@code -Drecorded.write=VERSION -Dtest='RecordedJobsTests#eachKind*'} records those of
 * a new version.
 */
@SuppressWarnings("ImmutableEnumChecker")
class RecordedJobsTests {

	private static final Set<String> NAMES = Set.of(JobRecord.TICK, JobRecord.ATTEMPT, JobRecord.STARTED_AT,
			JobRecord.NODE, JobRecord.METHOD, JobRecord.APPLICATION, JobRecord.SCHEDULE, JobRecord.PREVIOUS_TICK,
			JobRecord.PREVIOUS_STARTED_AT, JobRecord.PREVIOUS_SCHEDULE, JobRecord.FINISHED_TICK, JobRecord.FINISHED_AT,
			JobRecord.OUTCOME, JobRecord.ERROR, "jobLastSuccessAt", "jobPaused");

	@ParameterizedTest
	@EnumSource
	void eachKindIsWrittenAsItIsRecorded(RecordedJobs kind) throws IOException {
		RecordedItems.compare(kind.kind(), kind.write());
	}

	@Test
	void everyAttributeAndOutcomeOfAJobIsInARecordedItem() throws IOException {
		Set<String> names = new HashSet<>();
		Set<String> outcomes = new HashSet<>();
		for (RecordedItem recorded : RecordedItems.newest()) {
			names.addAll(recorded.item().keySet());
			outcomes.add(Objects.requireNonNull(recorded.item().get(JobRecord.OUTCOME)).s());
		}
		names.removeIf((name) -> !name.startsWith("job"));
		assertThat(names).isEqualTo(NAMES);
		assertThat(outcomes).containsExactlyInAnyOrder("SUCCEEDED", "FAILED", "TIMED_OUT", "INTERRUPTED", "CRASHED");
	}

	static List<RecordedItem> recordedJobs() throws IOException {
		return RecordedItems.all();
	}

	@ParameterizedTest
	@MethodSource("recordedJobs")
	void aRecordedJobIsReadAndItsTickTreatedAsByTheVersionThatWroteIt(RecordedItem recorded) {
		Map<String, AttributeValue> item = recorded.item();
		RecordedJobs kind = RecordedJobs.of(recorded.kind());
		HandDrivenNode.Nodes nodes = nodes(item, kind);
		JobRecord record = nodes.record();
		assertThat(record.problems()).isEmpty();
		assertThat(record.tick().orElseThrow().toEpochMilli()).isEqualTo(number(item, JobRecord.TICK));
		assertThat(record.attempt()).isEqualTo(number(item, JobRecord.ATTEMPT));
		assertThat(record.outcome().map(JobOutcome::name)).isEqualTo(text(item, JobRecord.OUTCOME));
		assertThat(record.error()).isEqualTo(text(item, JobRecord.ERROR));
		assertThat(record.node()).isEqualTo(text(item, JobRecord.NODE));
		assertThat(record.method()).hasValue("Reports.make()");
		assertThat(record.application()).isEqualTo(text(item, JobRecord.APPLICATION));
		assertThat(record.startedAt().isPresent()).isEqualTo(item.containsKey(JobRecord.STARTED_AT));
		assertThat(record.lastSuccessAt()).isPresent();
		assertThat(record.paused()).isEqualTo(text(item, "jobPaused"));
		assertThat(record.isFinished()).isEqualTo(kind.events().isEmpty());

		HandDrivenNode node = nodes.up();
		node.open();
		nodes.passTo(2);
		nodes.pass(Duration.ofSeconds(20));
		node.tick();
		nodes.pass(RecordedJobs.Jobs.LEASES);
		assertThat(node.events()).isEqualTo(kind.events());
	}

	@ParameterizedTest
	@MethodSource("recordedJobs")
	void theNextTickAfterARecordedJobStartsUnlessItIsPaused(RecordedItem recorded) {
		RecordedJobs kind = RecordedJobs.of(recorded.kind());
		HandDrivenNode.Nodes nodes = nodes(recorded.item(), kind);
		HandDrivenNode node = nodes.up();
		nodes.passTo(3);
		node.tick();
		nodes.pass(RecordedJobs.Jobs.LEASES);
		if (kind == RecordedJobs.PAUSED) {
			assertThat(node.events()).isEmpty();
		}
		else {
			assertThat(node.events()).contains("started 0:3 #1");
		}
	}

	private static HandDrivenNode.Nodes nodes(Map<String, AttributeValue> item, RecordedJobs kind) {
		InMemoryDynamoDb dynamoDb = InMemoryDynamoDb.withLockTable("locks");
		dynamoDb.putItem((request) -> request.tableName("locks").item(item));
		return new HandDrivenNode.Nodes(new DynamoDbLockStore(dynamoDb, SimulatedProcess.SCHEMA))
			.holdAtMost(RecordedJobs.Jobs.HOLD_AT_MOST)
			.attempts(kind.attempts());
	}

	private static long number(Map<String, AttributeValue> item, String name) {
		return Long.parseLong(Objects.requireNonNull(item.get(name)).n());
	}

	private static Optional<String> text(Map<String, AttributeValue> item, String name) {
		return Optional.ofNullable(item.get(name)).map(AttributeValue::s);
	}

}
