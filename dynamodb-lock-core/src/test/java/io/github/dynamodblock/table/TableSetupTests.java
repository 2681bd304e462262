/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Instant;
import java.util.List;

import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockTableException.Problem;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tables that DynamoDB Local does not have, as DynamoDB describes them.
 */
class TableSetupTests {

	private static final LockTable WANTED = LockTable.of(new InMemoryDynamoDb(), "locks");

	private static final LockTable WITH_SORT_KEY = WANTED.sortKeyName("part");

	private final TableSetup setup = new TableSetup(WANTED);

	@ParameterizedTest
	@EnumSource(value = TableStatus.class, names = { "ACTIVE", "UPDATING" })
	void aTableThatServesReadsAndWritesIsUsable(TableStatus status) {
		assertThat(this.setup.isUsable(table().tableStatus(status).build())).isTrue();
	}

	@ParameterizedTest
	@EnumSource(value = TableStatus.class,
			names = { "CREATING", "DELETING", "REPLICATION_NOT_AUTHORIZED", "UNKNOWN_TO_SDK_VERSION" })
	void aTableThatMayServeSoonIsWaitedFor(TableStatus status) {
		assertThat(this.setup.isUsable(table().tableStatus(status).build())).isFalse();
	}

	@Test
	void aTableWithoutStatusIsWaitedFor() {
		assertThat(this.setup.isUsable(table().build())).isFalse();
	}

	@ParameterizedTest
	@EnumSource(value = TableStatus.class, names = { "ARCHIVING", "ARCHIVED", "INACCESSIBLE_ENCRYPTION_CREDENTIALS" })
	void aTableThatWaitingDoesNotFixIsRefusedAtOnce(TableStatus status) {
		assertThatExceptionOfType(LockTableException.class)
			.isThrownBy(() -> this.setup.isUsable(table().tableStatus(status).build()))
			.withMessageContaining(status.toString())
			.satisfies((refused) -> assertThat(refused.problem()).isEqualTo(Problem.NOT_ACTIVE));
	}

	@Test
	void aTableThatIsBeingCreatedOrWasCreatedJustNowIsNew() {
		Instant created = Instant.parse("2026-01-01T00:00:00Z");
		TableDescription active = table().tableStatus(TableStatus.ACTIVE).creationDateTime(created).build();
		assertThat(at(created.plusSeconds(299)).isNew(active)).isTrue();
		assertThat(at(created.minusSeconds(299)).isNew(active)).isTrue();
		assertThat(at(created.plusSeconds(300)).isNew(active)).isFalse();
		// By a clock that is far behind, every table would be from the future.
		assertThat(at(created.minusSeconds(300)).isNew(active)).isFalse();
		TableDescription creating = table().tableStatus(TableStatus.CREATING).build();
		assertThat(at(created).isNew(creating)).isTrue();
		assertThat(at(created).isNew(table().tableStatus(TableStatus.ACTIVE).build())).isFalse();
	}

	@Test
	void theConfiguredKeyIsAccepted() {
		this.setup.check(table().build());
		new TableSetup(WITH_SORT_KEY)
			.check(table(element("key", KeyType.HASH), element("part", KeyType.RANGE)).build());
		new TableSetup(WITH_SORT_KEY)
			.check(table(element("part", KeyType.RANGE), element("key", KeyType.HASH)).build());
	}

	@Test
	void anotherKeyIsRefused() {
		assertWrongKey(WANTED, table(element("id", KeyType.HASH)).build(), "partition key 'id' (S) and no sort key");
		assertWrongKey(WANTED, table(element("key", KeyType.HASH), element("part", KeyType.RANGE)).build(),
				"partition key 'key' (S) and sort key 'part' (S)");
		assertWrongKey(WITH_SORT_KEY, table().build(), "partition key 'key' (S) and no sort key");
		assertWrongKey(WITH_SORT_KEY, table(element("part", KeyType.HASH), element("key", KeyType.RANGE)).build(),
				"partition key 'part' (S) and sort key 'key' (S)");
		assertWrongKey(WANTED, table().attributeDefinitions(definition("key", ScalarAttributeType.N)).build(),
				"partition key 'key' (N) and no sort key");
	}

	@Test
	void aTableInOneRegionIsAccepted() {
		this.setup.check(table().globalTableVersion("2019.11.21").build());
	}

	@Test
	void aGlobalTableWithEventualConsistencyIsRefused() {
		assertTwoRegions(replicated(MultiRegionConsistency.EVENTUAL));
		assertTwoRegions(table().replicas(replica("eu-west-1")).build());
		assertTwoRegions(table().globalTableVersion("2017.11.29").build());
	}

	@Test
	void aGlobalTableWithEventualConsistencyIsAcceptedIfAllowed() {
		new TableSetup(WANTED.allowEventuallyConsistentReplicas()).check(replicated(MultiRegionConsistency.EVENTUAL));
	}

	@Test
	void aGlobalTableWithStrongConsistencyIsAccepted() {
		this.setup.check(replicated(MultiRegionConsistency.STRONG));
	}

	@ParameterizedTest
	@EnumSource(value = TimeToLiveStatus.class, names = { "ENABLED", "ENABLING" })
	void timeToLiveThatIsBeingEnabledCountsAsOn(TimeToLiveStatus status) {
		assertThat(this.setup.isOn(timeToLive(status, "expiresAt"))).isTrue();
	}

	@ParameterizedTest
	@EnumSource(value = TimeToLiveStatus.class, names = { "DISABLED", "DISABLING" })
	void timeToLiveThatIsBeingDisabledCountsAsOff(TimeToLiveStatus status) {
		assertThat(this.setup.isOn(timeToLive(status, "other"))).isFalse();
	}

	@ParameterizedTest
	@EnumSource(value = TimeToLiveStatus.class, names = { "ENABLED", "ENABLING" })
	void timeToLiveByAnotherAttributeIsRefused(TimeToLiveStatus status) {
		assertThatExceptionOfType(LockTableException.class)
			.isThrownBy(() -> this.setup.isOn(timeToLive(status, "other")))
			.withMessageContaining("'other'")
			.withMessageContaining("'expiresAt'")
			.satisfies((refused) -> assertThat(refused.problem()).isEqualTo(Problem.WRONG_TIME_TO_LIVE_ATTRIBUTE));
	}

	private static TableSetup at(Instant timeOfDay) {
		return new TableSetup(WANTED.clock(new TableSetup.PollClock() {
			@Override
			public Instant timeOfDay() {
				return timeOfDay;
			}
		}));
	}

	private void assertTwoRegions(TableDescription table) {
		assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> this.setup.check(table))
			.withMessageContaining("allowEventuallyConsistentReplicas")
			.satisfies((refused) -> assertThat(refused.problem()).isEqualTo(Problem.EVENTUALLY_CONSISTENT_REPLICAS));
	}

	private static void assertWrongKey(LockTable wanted, TableDescription table, String found) {
		assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> new TableSetup(wanted).check(table))
			.withMessageContaining(found)
			.withMessageContaining(wanted.schema.keyDescription())
			.satisfies((refused) -> assertThat(refused.problem()).isEqualTo(Problem.WRONG_KEY_SCHEMA));
	}

	private static TableDescription.Builder table() {
		return table(element("key", KeyType.HASH));
	}

	private static TableDescription.Builder table(KeySchemaElement... elements) {
		List<AttributeDefinition> definitions = List.of(elements)
			.stream()
			.map((element) -> definition(element.attributeName(), ScalarAttributeType.S))
			.toList();
		return TableDescription.builder().tableName("locks").keySchema(elements).attributeDefinitions(definitions);
	}

	private static TableDescription replicated(MultiRegionConsistency consistency) {
		return table().globalTableVersion("2019.11.21")
			.replicas(replica("eu-west-1"), replica("eu-north-1"))
			.multiRegionConsistency(consistency)
			.build();
	}

	private static ReplicaDescription replica(String region) {
		return ReplicaDescription.builder().regionName(region).build();
	}

	private static KeySchemaElement element(String name, KeyType type) {
		return KeySchemaElement.builder().attributeName(name).keyType(type).build();
	}

	private static AttributeDefinition definition(String name, ScalarAttributeType type) {
		return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
	}

	private static TimeToLiveDescription timeToLive(TimeToLiveStatus status, String attribute) {
		return TimeToLiveDescription.builder().timeToLiveStatus(status).attributeName(attribute).build();
	}

}
