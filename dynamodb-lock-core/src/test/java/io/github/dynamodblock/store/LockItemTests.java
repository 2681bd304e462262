/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.LockWrite.Timestamps;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which attributes the writes leave in the item: other clients read them.
 */
class LockItemTests {

	private static final long LIMIT = Duration.ofSeconds(20).toNanos();

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Instant EXPIRES_AT = Instant.ofEpochMilli(1_800_000_000_999L);

	private static final AttributeValue EXPIRES_AT_SECONDS = AttributeValue.fromN("1800000000");

	private static final LockKey KEY = LockKey.of("orders-42");

	private final TableSchema schema = TestDynamoDb.newTable();

	private final LockStore store = new DynamoDbLockStore(TestDynamoDb.client(), this.schema);

	@Test
	void claimWritesTheAttributesOfTheAwsClientAndOurs() {
		LockRecord wanted = wanted().data("one".getBytes(StandardCharsets.UTF_8))
			.acquiredAt(Instant.ofEpochMilli(1234))
			.build();
		apply(Writes.claim(wanted, 99, EXPIRES_AT, null));
		assertThat(item()).containsOnly(Map.entry("key", AttributeValue.fromS("orders-42")),
				Map.entry("ownerName", AttributeValue.fromS("alice")),
				Map.entry("leaseDuration", AttributeValue.fromS("20000")),
				Map.entry("recordVersionNumber", AttributeValue.fromS("v1")),
				Map.entry("data", AttributeValue.fromB(SdkBytes.fromUtf8String("one"))),
				Map.entry("fencingToken", AttributeValue.fromN("131")),
				Map.entry("acquiredAt", AttributeValue.fromN("1234")), Map.entry("expiresAt", EXPIRES_AT_SECONDS));
	}

	@Test
	void releaseMarksTheItemAsTheAwsClientDoes() {
		claim(null);
		release(null);
		assertThat(item()).containsEntry("isReleased", AttributeValue.fromS("1"))
			.containsEntry("ownerName", AttributeValue.fromS("alice"))
			.containsEntry("leaseDuration", AttributeValue.fromS("20000"))
			.containsEntry("recordVersionNumber", AttributeValue.fromS("v3"));
	}

	@Test
	void claimOfAReleasedLockRemovesTheMark() {
		claim(null);
		release(null);
		claim(null);
		assertThat(item()).doesNotContainKey("isReleased");
	}

	@Test
	void everyWriteSetsTheTimeToLiveInSeconds() {
		claim(EXPIRES_AT);
		assertThat(item()).containsEntry("expiresAt", EXPIRES_AT_SECONDS);
		set("expiresAt", AttributeValue.fromN("7"));
		renew(EXPIRES_AT);
		assertThat(item()).containsEntry("expiresAt", EXPIRES_AT_SECONDS);
		set("expiresAt", AttributeValue.fromN("7"));
		release(EXPIRES_AT);
		assertThat(item()).containsEntry("expiresAt", EXPIRES_AT_SECONDS);
	}

	@Test
	void everyWriteWithoutTimeToLiveRemovesIt() {
		claim(EXPIRES_AT);
		renew(null);
		assertThat(item()).doesNotContainKey("expiresAt");
		set("expiresAt", AttributeValue.fromN("7"));
		release(null);
		assertThat(item()).doesNotContainKey("expiresAt");
		set("expiresAt", AttributeValue.fromN("7"));
		claim(null);
		assertThat(item()).doesNotContainKey("expiresAt");
	}

	@Test
	void everyWriteRemovesTheEndThatClientsWithTrustedClocksWrote() {
		claim(null);
		set("leaseEnds", AttributeValue.fromS("v1|123"));
		renew(null);
		assertThat(item()).doesNotContainKey("leaseEnds");
		set("leaseEnds", AttributeValue.fromS("v2|123"));
		release(null);
		assertThat(item()).doesNotContainKey("leaseEnds");
		set("leaseEnds", AttributeValue.fromS("v3|123"));
		claim(null);
		assertThat(item()).doesNotContainKey("leaseEnds");
	}

	@Test
	void theTimeOfRenewalIsWrittenInMilliseconds() {
		Timestamps timestamps = new Timestamps(Instant.ofEpochMilli(1234), null, null);
		apply(new LockWrite.Claim(wanted().build(), ItemChange.none(), Precondition.FREE, 0, timestamps, false));
		assertThat(item()).containsEntry("renewedAt", AttributeValue.fromN("1234"));
		apply(Writes.release(KEY, "v2", Set.of("v1"), null, false));
		assertThat(item()).doesNotContainKey("renewedAt");
	}

	@Test
	void theEndOfTheLeaseIsWrittenWithTheVersionThatItBelongsTo() {
		Timestamps timestamps = new Timestamps(null, EXPIRES_AT, Instant.ofEpochMilli(1234));
		apply(new LockWrite.Claim(wanted().build(), ItemChange.none(), Precondition.FREE, 0, timestamps, false));
		assertThat(item()).containsEntry("leaseEnds", AttributeValue.fromS("v1|1234"));
		Timestamps later = new Timestamps(null, EXPIRES_AT, Instant.ofEpochMilli(5678));
		apply(new LockWrite.Renew(KEY, "v2", "v1", LEASE, ItemChange.none(), later));
		assertThat(item()).containsEntry("leaseEnds", AttributeValue.fromS("v2|5678"));
	}

	@Test
	void aReleaseMarksTheItemKeepsItsOwnerAndRemovesTheEnd() {
		claim(null);
		set("leaseEnds", AttributeValue.fromS("v1|123"));
		apply(Writes.release(KEY, "v2", Set.of("v1"), EXPIRES_AT, false));
		assertThat(item()).containsEntry("isReleased", AttributeValue.fromS("1"))
			.containsEntry("ownerName", AttributeValue.fromS("alice"))
			.containsEntry("recordVersionNumber", AttributeValue.fromS("v2"))
			.containsEntry("expiresAt", EXPIRES_AT_SECONDS)
			.doesNotContainKey("leaseEnds");
	}

	@Test
	void theApplicationsAttributesAreThoseThatAreNotTheLocks() {
		claim(EXPIRES_AT);
		set("leaseEnds", AttributeValue.fromS("v1|123"));
		set("price", AttributeValue.fromN("42"));
		assertThat(this.store.send(new Step.Read(KEY, true, LIMIT))).isInstanceOfSatisfying(Answer.Found.class,
				(found) -> assertThat(found.record()).isNotNull()
					.extracting(LockRecord::attributes)
					.isEqualTo(Map.of("price", AttributeValue.fromN("42"))));
	}

	@Test
	void theApplicationsOwnAttributesStay() {
		claim(null);
		set("price", AttributeValue.fromN("42"));
		renew(null);
		release(null);
		claim(null);
		assertThat(item()).containsEntry("price", AttributeValue.fromN("42"));
	}

	@Test
	void aChangeMarksTheItemAndTheNextHeartbeatWritesATimeToLiveThatDynamoDbIgnores() {
		claim(EXPIRES_AT);
		ItemChange change = ItemChange.none().attribute("price", AttributeValue.fromN("42"));
		apply(new LockWrite.Change(KEY, "v9", null, change));
		assertThat(item()).containsEntry("price", AttributeValue.fromN("42"))
			.containsEntry("keep", AttributeValue.fromS("kept"))
			.doesNotContainKey("expiresAt");
		renew(EXPIRES_AT);
		assertThat(item()).containsEntry("price", AttributeValue.fromN("42"))
			.containsEntry("keep", AttributeValue.fromS("kept"))
			.containsEntry("expiresAt", AttributeValue.fromS("kept"));
	}

	@Test
	void aChangeWithoutAnItemCreatesAReleasedLockOfTheAwsClient() {
		apply(new LockWrite.Change(KEY, "v1", wanted().released(true).build(), ItemChange.none()));
		assertThat(item()).containsOnly(Map.entry("key", AttributeValue.fromS("orders-42")),
				Map.entry("ownerName", AttributeValue.fromS("alice")),
				Map.entry("leaseDuration", AttributeValue.fromS("20000")),
				Map.entry("recordVersionNumber", AttributeValue.fromS("v1")),
				Map.entry("isReleased", AttributeValue.fromS("1")), Map.entry("keep", AttributeValue.fromS("kept")));
	}

	@Test
	void anyOtherMarkThanOneMeansHeld() {
		claim(null);
		set("isReleased", AttributeValue.fromS("0"));
		Answer answer = this.store.send(new Step.Write(Writes.claim(wanted().build(), 0, null, null), LIMIT));
		assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class,
				(refused) -> assertThat(refused.record()).extracting(LockRecord::isReleased).isEqualTo(false));
		renew(null);
	}

	@Test
	void heartbeatDoesNotKeepALockThatWasReleasedByHand() {
		claim(null);
		set("isReleased", AttributeValue.fromS("1"));
		Answer answer = this.store.send(new Step.Write(Writes.renew(KEY, "v2", "v1", LEASE, null), LIMIT));
		assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class,
				(refused) -> assertThat(refused.record()).extracting(LockRecord::isReleased).isEqualTo(true));
	}

	@Test
	void aSortKeyIsPartOfTheLock() {
		TableSchema sorted = TestDynamoDb.newTable("part");
		LockStore sortedStore = new DynamoDbLockStore(TestDynamoDb.client(), sorted);
		for (String part : new String[] { "a", "b" }) {
			LockKey key = LockKey.of("orders-42", part);
			LockRecord wanted = LockRecord.builder(key, "alice", LEASE, "v-" + part).build();
			assertThat(sortedStore.send(new Step.Write(Writes.claim(wanted, 0, null, null), LIMIT)))
				.isInstanceOf(Answer.Applied.class);
		}
		assertThat(sortedStore
			.send(new Step.Write(Writes.release(LockKey.of("orders-42", "a"), "v2", Set.of("v-a"), null, true), LIMIT)))
			.isInstanceOf(Answer.Applied.class);
		assertThat(sortedStore.send(new Step.Read(LockKey.of("orders-42", "a"), true, LIMIT)))
			.isEqualTo(new Answer.Found(null));
		assertThat(sortedStore.send(new Step.Read(LockKey.of("orders-42", "b"), true, LIMIT))).isInstanceOfSatisfying(
				Answer.Found.class, (found) -> assertThat(found.record()).extracting(LockRecord::key)
					.isEqualTo(LockKey.of("orders-42", "b")));
	}

	private void claim(@Nullable Instant expiresAt) {
		apply(Writes.claim(wanted().build(), 0, expiresAt, null));
	}

	private void renew(@Nullable Instant expiresAt) {
		apply(Writes.renew(KEY, "v2", "v1", LEASE, expiresAt));
	}

	private void release(@Nullable Instant expiresAt) {
		apply(Writes.release(KEY, "v3", Set.of("v1", "v2"), expiresAt, false));
	}

	private void apply(LockWrite write) {
		assertThat(this.store.send(new Step.Write(write, LIMIT))).isInstanceOf(Answer.Applied.class);
	}

	private static LockRecord.Builder wanted() {
		return LockRecord.builder(KEY, "alice", LEASE, "v1");
	}

	private Map<String, AttributeValue> item() {
		return TestDynamoDb.client()
			.getItem((request) -> request.tableName(this.schema.tableName()).key(key()).consistentRead(true))
			.item();
	}

	/** Changes the item as another client would. */
	private void set(String attribute, AttributeValue value) {
		Map<String, AttributeValue> item = new HashMap<>(item());
		item.put(attribute, value);
		TestDynamoDb.client().putItem((request) -> request.tableName(this.schema.tableName()).item(item));
	}

	private static Map<String, AttributeValue> key() {
		return Map.of("key", AttributeValue.fromS(KEY.partition()));
	}

}
