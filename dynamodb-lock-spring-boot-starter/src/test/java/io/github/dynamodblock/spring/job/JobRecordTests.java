/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

class JobRecordTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final JobSchedule MINUTELY = JobSchedule.cron("0 * * * * *", ZoneOffset.UTC);

	private static final LockedJob JOB = new LockedJob("report", LockKey.of("report"), false, "Reports.make()",
			MINUTELY, 3, OnMissed.SKIP, null, Mockito.mock(LockClient.class));

	private static final LockRecord NEW = LockRecord.builder(JOB.key(), "node-1", Duration.ofSeconds(10), "1")
		.renewedAt(NOON)
		.build();

	@Test
	void aRunIsUnderWayFromItsClaimToItsEnd() {
		LockRecord running = with(NEW, started(0, 1));
		assertThat(JobRecord.of(running).isRunning(NOON)).isTrue();
		assertThat(JobRecord.of(running).isFinished()).isFalse();
		LockRecord ended = with(running, ended(0, JobOutcome.FAILED, new IllegalStateException("no paper")));
		assertThat(JobRecord.of(ended)).satisfies((record) -> {
			assertThat(record.isRunning(NOON)).isFalse();
			assertThat(record.isFinished()).isTrue();
			assertThat(record.tick()).hasValue(NOON);
			assertThat(record.attempt()).isEqualTo(1);
			assertThat(record.node()).hasValue("node-1");
			assertThat(record.outcome()).hasValue(JobOutcome.FAILED);
			assertThat(record.error()).hasValue("java.lang.IllegalStateException: no paper");
			assertThat(record.lastSuccessAt()).isEmpty();
		});
		assertThat(JobRecord.of(with(ended, started(60, 1), ended(60, JobOutcome.SUCCEEDED, null))))
			.satisfies((record) -> {
				assertThat(record.error()).isEmpty();
				assertThat(record.lastSuccessAt()).isEqualTo(record.finishedAt()).hasValue(at(60));
			});
	}

	@Test
	void aPlainClaimIsNoRun() {
		LockRecord running = with(NEW, started(0, 1));
		LockRecord called = running.toBuilder().data(null).build();
		assertThat(JobRecord.of(called).isRunning(NOON)).as("on a node that died").isFalse();
		assertThat(JobRecord.of(running).isRunning(NOON.plusSeconds(11))).as("after its lease").isFalse();
		assertThat(JobRecord.of(running.toBuilder().released(true).build()).isRunning(NOON)).isFalse();
	}

	@Test
	void theClaimOfATickKeepsWhatItReplaces() {
		JobRecord crashed = JobRecord.of(with(NEW, started(0, 1), started(0, 2), started(180, 1)));
		assertThat(crashed.previousCrash()).hasValue(NOON);
		assertThat(crashed.missed(MINUTELY, 10)).containsExactly(at(60), at(120));
		assertThat(crashed.missed(MINUTELY, 1)).containsExactly(at(60));
		assertThat(crashed.missed(JobSchedule.cron("0 0 * * * *", ZoneOffset.UTC), 10)).as("another schedule")
			.isEmpty();
		JobRecord ended = JobRecord.of(with(NEW, started(0, 1), ended(0, JobOutcome.SUCCEEDED, null), started(120, 1)));
		assertThat(ended.previousCrash()).isEmpty();
		assertThat(ended.missed(MINUTELY, 10)).containsExactly(at(60));
		JobRecord first = JobRecord.of(with(NEW, started(0, 1)));
		assertThat(first.previousCrash()).isEmpty();
		assertThat(first.missed(MINUTELY, 10)).isEmpty();
	}

	@Test
	void aTickThatWasGivenBackAndNotStartedAgainIsMissed() {
		for (ItemChange back : new ItemChange[] { JobWrites.unused(new JobRun(JOB, NOON, 1)),
				JobWrites.interrupted(new JobRun(JOB, NOON, 1)) }) {
			JobRecord record = JobRecord.of(with(NEW, started(0, 1), back, started(120, 1)));
			assertThat(record.previousCrash()).isEmpty();
			assertThat(record.missed(MINUTELY, 10)).containsExactly(NOON, at(60));
		}
	}

	@Test
	void aBodyThatWasInterruptedIsRunOnceMore() {
		LockRecord claimed = with(NEW, started(-60, 1), ended(-60, JobOutcome.SUCCEEDED, null), started(0, 1));
		assertThat(JobRecord.of(claimed).isRerun()).isFalse();
		LockRecord unused = with(claimed, JobWrites.unused(new JobRun(JOB, NOON, 1)), again(0, 1));
		assertThat(JobRecord.of(unused).isRerun()).as("after a claim without a body").isFalse();
		LockRecord interrupted = with(claimed, JobWrites.interrupted(new JobRun(JOB, NOON, 1)), again(0, 1));
		assertThat(JobRecord.of(interrupted).isRerun()).isTrue();
		assertThat(JobRecord.of(with(claimed, again(0, 2))).isRerun()).as("after a crash").isTrue();
	}

	@Test
	void aPauseIsSeenWhateverItsValue() {
		assertThat(JobRecord.of(with(NEW, JobRecord.pause(" "))).paused()).hasValue("paused");
		assertThat(JobRecord.of(with(NEW, ItemChange.none().attribute("jobPaused", AttributeValue.fromBool(false))))
			.paused()).isPresent();
		assertThat(JobRecord.of(with(NEW, JobRecord.pause("stock-taking"), JobRecord.resume())).paused()).isEmpty();
	}

	@Test
	void theLongestRecordIsShorterThanAKilobyte() {
		Throwable failure = new IllegalStateException("\u20ac".repeat(5_000) + "\ud83d\ude00".repeat(5_000));
		LockRecord record = with(NEW, started(0, 1),
				JobWrites.started(new JobRun(JOB, NOON, 1_000), true, NOON, "\u00fc".repeat(500),
						JobRecord.recorded("\u00fc".repeat(500))),
				JobRecord.pause("\u20ac".repeat(500)), JobRecord.succeeded(NOON),
				ended(0, JobOutcome.INTERRUPTED, failure));
		int size = record.attributes()
			.entrySet()
			.stream()
			.mapToInt((entry) -> entry.getKey().length() + bytes(entry.getValue()))
			.sum();
		assertThat(size).isLessThan(1_024);
		assertThat(JobRecord.of(record).error().orElseThrow()).startsWith("java.lang.IllegalStateException: \u20ac");
	}

	/** As DynamoDB counts: a number takes a byte for two digits, and two more. */
	private static int bytes(AttributeValue value) {
		return (value.s() != null) ? value.s().getBytes(StandardCharsets.UTF_8).length
				: (value.n().length() + 1) / 2 + 2;
	}

	@Test
	void aRecordThatWasEditedByHandIsReadAndReported() {
		ItemChange edits = ItemChange.none()
			.attribute("jobTick", AttributeValue.fromS("yesterday"))
			.attribute("jobAttempt", AttributeValue.fromBool(true))
			.attribute("jobOutcome", AttributeValue.fromS("POSTPONED"))
			.attribute("jobColour", AttributeValue.fromS("an attribute of a newer version"));
		JobRecord record = JobRecord.of(with(NEW, started(0, 1), edits));
		assertThat(record.tick()).isEmpty();
		assertThat(record.outcome()).isEmpty();
		assertThat(record.problems()).containsExactlyInAnyOrder("jobTick is 'yesterday'", "jobAttempt is of type BOOL",
				"jobOutcome is 'POSTPONED'");
		assertThat(JobRecord.of(with(NEW, started(0, 1))).problems()).isEmpty();
	}

	private static ItemChange started(long secondsAfterNoon, int attempt) {
		return JobWrites.started(new JobRun(JOB, at(secondsAfterNoon), attempt), attempt == 1, at(secondsAfterNoon),
				"node-1", "shop");
	}

	/** An attempt that is not the first claim of its tick. */
	private static ItemChange again(long secondsAfterNoon, int attempt) {
		return JobWrites.started(new JobRun(JOB, at(secondsAfterNoon), attempt), false, at(secondsAfterNoon), "node-2",
				"shop");
	}

	private static ItemChange ended(long secondsAfterNoon, JobOutcome outcome, @Nullable Throwable failure) {
		return JobWrites.ended(new JobRun(JOB, at(secondsAfterNoon), 1), at(secondsAfterNoon), outcome, failure);
	}

	private static Instant at(long secondsAfterNoon) {
		return NOON.plusSeconds(secondsAfterNoon);
	}

	private static LockRecord with(LockRecord before, ItemChange... changes) {
		LockRecord.Builder record = before.toBuilder();
		for (ItemChange change : changes) {
			record.change(change);
		}
		return record.build();
	}

}
