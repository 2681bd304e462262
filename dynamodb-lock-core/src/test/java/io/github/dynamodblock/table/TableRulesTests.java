/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Instant;
import java.util.List;

import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockTableException.Problem;
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
class TableRulesTests {

	private static final TableSettings SETTINGS = TableSettings.of("locks");

	private final TableRules rules = new TableRules(SETTINGS);

	@ParameterizedTest
	@EnumSource(value = TableStatus.class, names = { "ACTIVE", "UPDATING" })
	void aTableThatServesReadsAndWritesIsUsable(TableStatus status) {
		assertThat(this.rules.isUsable(table().tableStatus(status).build())).isTrue();
	}

	@ParameterizedTest
	@EnumSource(value = TableStatus.class,
			names = { "CREATING", "DELETING", "REPLICATION_NOT_AUTHORIZED", "UNKNOWN_TO_SDK_VERSION" })
	void aTableThatMayServeSoonIsWaitedFor(TableStatus status) {
		assertThat(this.rules.isUsable(table().tableStatus(status).build())).isFalse();
	}

	@Test
	void aTableWithoutStatusIsWaitedFor() {
		assertThat(this.rules.isUsable(table().build())).isFalse();
	}

	@ParameterizedTest
	@EnumSource(value = TableStatus.class, names = { "ARCHIVING", "ARCHIVED", "INACCESSIBLE_ENCRYPTION_CREDENTIALS" })
	void aTableThatWaitingDoesNotFixIsRefusedAtOnce(TableStatus status) {
		assertThatExceptionOfType(LockTableException.class)
			.isThrownBy(() -> this.rules.isUsable(table().tableStatus(status).build()))
			.withMessageContaining(status.toString())
			.satisfies((refused) -> assertThat(refused.problem()).isEqualTo(Problem.NOT_ACTIVE));
	}

	@Test
	void aTableThatIsBeingCreatedOrWasCreatedJustNowIsNew() {
		Instant created = Instant.parse("2026-01-01T00:00:00Z");
		TableDescription active = table().tableStatus(TableStatus.ACTIVE).creationDateTime(created).build();
		assertThat(this.rules.isNew(active, created.plusSeconds(299))).isTrue();
		assertThat(this.rules.isNew(active, created.minusSeconds(299))).isTrue();
		assertThat(this.rules.isNew(active, created.plusSeconds(300))).isFalse();
		// By a clock that is far behind, every table would be from the future.
		assertThat(this.rules.isNew(active, created.minusSeconds(300))).isFalse();
		TableDescription creating = table().tableStatus(TableStatus.CREATING).build();
		assertThat(this.rules.isNew(creating, created)).isTrue();
		assertThat(this.rules.isNew(table().tableStatus(TableStatus.ACTIVE).build(), created)).isFalse();
	}

	@Test
	void aTableThatIsNotActiveInTimeIsReportedWithItsStatus() {
		TableDescription table = table().tableStatus(TableStatus.DELETING).build();
		assertThat(this.rules.notActiveInTime(table)).hasMessageContaining("DELETING").hasMessageContaining("2 min");
		assertThat(this.rules.notActiveInTime(null)).hasMessageContaining("is being created");
	}

	@Test
	void theConfiguredKeyIsAccepted() {
		this.rules.check(table().build());
		new TableRules(SETTINGS.withSortKeyName("part"))
			.check(table(element("key", KeyType.HASH), element("part", KeyType.RANGE)).build());
		new TableRules(SETTINGS.withSortKeyName("part"))
			.check(table(element("part", KeyType.RANGE), element("key", KeyType.HASH)).build());
	}

	@Test
	void anotherKeyIsRefused() {
		assertWrongKey(SETTINGS, table(element("id", KeyType.HASH)).build(), "partition key id (S) and no sort key");
		assertWrongKey(SETTINGS, table(element("key", KeyType.HASH), element("part", KeyType.RANGE)).build(),
				"partition key key (S) and sort key part (S)");
		assertWrongKey(SETTINGS.withSortKeyName("part"), table().build(), "partition key key (S) and no sort key");
		assertWrongKey(SETTINGS.withSortKeyName("part"),
				table(element("part", KeyType.HASH), element("key", KeyType.RANGE)).build(),
				"partition key part (S) and sort key key (S)");
		assertWrongKey(SETTINGS, table().attributeDefinitions(definition("key", ScalarAttributeType.N)).build(),
				"partition key key (N) and no sort key");
	}

	@Test
	void aTableInOneRegionIsAccepted() {
		this.rules.check(table().globalTableVersion("2019.11.21").build());
	}

	@Test
	void aGlobalTableWithEventualConsistencyIsRefused() {
		assertTwoRegions(replicated(MultiRegionConsistency.EVENTUAL));
		assertTwoRegions(table().replicas(replica("eu-west-1")).build());
		assertTwoRegions(table().globalTableVersion("2017.11.29").build());
	}

	@Test
	void aGlobalTableWithEventualConsistencyIsAcceptedIfAllowed() {
		new TableRules(SETTINGS.withEventuallyConsistentReplicas()).check(replicated(MultiRegionConsistency.EVENTUAL));
	}

	@Test
	void aGlobalTableWithStrongConsistencyIsAccepted() {
		this.rules.check(replicated(MultiRegionConsistency.STRONG));
	}

	@ParameterizedTest
	@EnumSource(value = TimeToLiveStatus.class, names = { "ENABLED", "ENABLING" })
	void timeToLiveThatIsBeingEnabledCountsAsOn(TimeToLiveStatus status) {
		assertThat(this.rules.isOn(timeToLive(status, "expiresAt"))).isTrue();
	}

	@ParameterizedTest
	@EnumSource(value = TimeToLiveStatus.class, names = { "DISABLED", "DISABLING" })
	void timeToLiveThatIsBeingDisabledCountsAsOff(TimeToLiveStatus status) {
		assertThat(this.rules.isOn(timeToLive(status, "other"))).isFalse();
	}

	@ParameterizedTest
	@EnumSource(value = TimeToLiveStatus.class, names = { "ENABLED", "ENABLING" })
	void timeToLiveByAnotherAttributeIsRefused(TimeToLiveStatus status) {
		assertThatExceptionOfType(LockTableException.class)
			.isThrownBy(() -> this.rules.isOn(timeToLive(status, "other")))
			.withMessageContaining("'other'")
			.withMessageContaining("'expiresAt'")
			.satisfies((refused) -> assertThat(refused.problem()).isEqualTo(Problem.WRONG_TIME_TO_LIVE_ATTRIBUTE));
	}

	private void assertTwoRegions(TableDescription table) {
		assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> this.rules.check(table))
			.withMessageContaining("allowEventuallyConsistentReplicas")
			.satisfies((refused) -> assertThat(refused.problem()).isEqualTo(Problem.EVENTUALLY_CONSISTENT_REPLICAS));
	}

	private static void assertWrongKey(TableSettings settings, TableDescription table, String found) {
		assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> new TableRules(settings).check(table))
			.withMessageContaining(found)
			.withMessageContaining(settings.schema().keyDescription())
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
