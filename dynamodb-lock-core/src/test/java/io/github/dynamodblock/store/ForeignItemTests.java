/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Items that other programs wrote: locks of other clients, and what is no lock at all.
 */
class ForeignItemTests {

	private static final long LIMIT = Duration.ofSeconds(20).toNanos();

	private static final LockKey KEY = LockKey.of("orders-42");

	private final TableSchema schema = TestDynamoDb.newTable();

	private final LockStore store = new DynamoDbLockStore(TestDynamoDb.client(), this.schema);

	static Stream<Arguments> itemsThatAreNoLock() {
		return Stream.of(arguments("ownerName", null), arguments("ownerName", AttributeValue.fromN("1")),
				arguments("leaseDuration", null), arguments("leaseDuration", AttributeValue.fromN("20000")),
				arguments("recordVersionNumber", null), arguments("recordVersionNumber", AttributeValue.fromBool(true)),
				arguments("fencingToken", AttributeValue.fromS("1")),
				arguments("fencingToken", AttributeValue.fromN("-1")),
				arguments("fencingToken", AttributeValue.fromN("9223372036854775808")));
	}

	@ParameterizedTest(name = "{0} = {1}")
	@MethodSource("itemsThatAreNoLock")
	void isNeitherTakenNorChangedNorRead(String attribute, @Nullable AttributeValue value) {
		for (boolean released : new boolean[] { true, false }) {
			Map<String, AttributeValue> item = lockOfTheAwsClient();
			if (released) {
				item.put("isReleased", AttributeValue.fromS("1"));
			}
			item.put("fencingToken", AttributeValue.fromN("7"));
			item.remove(attribute);
			if (value != null) {
				item.put(attribute, value);
			}
			put(item);
			assertNotALock(attribute, claim("v2", null));
			assertNotALock(attribute, claim("v2", "aws-1"));
			assertNotALock(attribute, this.store.send(new Step.Read(KEY, true, LIMIT)));
			assertThat(item()).isEqualTo(item);
		}
	}

	@ParameterizedTest
	@MethodSource("textsThatAreNoLease")
	void aHeldItemWithALeaseThatCannotBeReadIsNeitherTakenNorChangedNorRead(String lease) {
		Map<String, AttributeValue> item = lockOfTheAwsClient();
		item.put("leaseDuration", AttributeValue.fromS(lease));
		put(item);
		assertNotALock("leaseDuration", claim("v2", null));
		assertNotALock("leaseDuration", this.store.send(new Step.Read(KEY, true, LIMIT)));
		assertThat(item()).isEqualTo(item);
	}

	static Stream<String> textsThatAreNoLease() {
		return Stream.of("abc", "0", "-5", "20 s", "");
	}

	@ParameterizedTest
	@MethodSource("valuesThatAreNoTime")
	void anApplicationsOwnAttributeWithTheNameOfATimeIsNoFault(AttributeValue value) {
		Map<String, AttributeValue> item = lockOfTheAwsClient();
		item.put("acquiredAt", value);
		item.put("renewedAt", value);
		put(item);
		assertThat(found().acquiredAt()).isEmpty();
		assertThat(found().renewedAt()).isEmpty();
	}

	static Stream<AttributeValue> valuesThatAreNoTime() {
		return Stream.of(AttributeValue.fromS("yesterday"), AttributeValue.fromN("1e30"),
				AttributeValue.fromBool(true));
	}

	@Test
	void anApplicationsOwnAttributeWithTheNameOfTheNameIsNoFault() {
		Map<String, AttributeValue> item = lockOfTheAwsClient();
		item.put("requestName", AttributeValue.fromN("1"));
		put(item);
		assertThat(found().name()).isEmpty();
	}

	@Test
	void aHeldLockWithoutATimeOfRenewalIsNeverSilent() {
		put(lockOfTheAwsClient());
		assertThat(found().renewedAt()).isEmpty();
		assertThat(found().isOwnerSilent(Instant.now().plus(Duration.ofDays(1000)))).isFalse();
	}

	@Test
	void aNumberWithAFractionIsNoToken() {
		Map<String, AttributeValue> item = lockOfTheAwsClient();
		item.put("fencingToken", AttributeValue.fromN("7.5"));
		put(item);
		assertNotALock("fencingToken", this.store.send(new Step.Read(KEY, true, LIMIT)));
		assertNotALock("fencingToken", claim("v2", null));
		assertThat(item()).isEqualTo(item);
	}

	@Test
	void aClaimThatIsAppliedHasTokensForAllToWhomTheLockIsHandedOn() {
		Map<String, AttributeValue> item = lockOfTheAwsClient();
		long greatest = Long.MAX_VALUE - 2 * LockWrite.Claim.TOKENS + 1;
		item.put("fencingToken", AttributeValue.fromN(Long.toString(greatest + 1)));
		put(item);
		assertNotALock("fencingToken", claim("v2", "aws-1"));
		assertThat(item()).isEqualTo(item);
		item.put("fencingToken", AttributeValue.fromN(Long.toString(greatest)));
		put(item);
		assertThat(claim("v2", "aws-1")).isInstanceOf(Answer.Applied.class);
		assertThat(found().fencingToken()).hasValue(Long.MAX_VALUE - LockWrite.Claim.TOKENS + 1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aClaimOfALockWithTheGreatestTokenIsRefusedWithTheReason(boolean released) {
		Map<String, AttributeValue> item = lockOfTheAwsClient();
		item.put("fencingToken", AttributeValue.fromN(Long.toString(Long.MAX_VALUE)));
		if (released) {
			item.put("isReleased", AttributeValue.fromS("1"));
		}
		put(item);
		assertThat(found().fencingToken()).hasValue(Long.MAX_VALUE);
		Answer answer = claim("v2", "aws-1");
		assertNotALock("fencingToken", answer);
		assertThat(((Answer.Failed) answer).failure()).hasMessageContaining("greatest possible");
		assertThat(item()).isEqualTo(item);
	}

	@Test
	void aHeartbeatNoticesThatTheOwnersNameWasRemoved() {
		assertThat(claim("v1", null)).isInstanceOf(Answer.Applied.class);
		Map<String, AttributeValue> item = new HashMap<>(item());
		item.remove("ownerName");
		put(item);
		LockWrite heartbeat = Writes.renew(KEY, "v2", "v1", Duration.ofSeconds(20), null);
		assertNotALock("ownerName", this.store.send(new Step.Write(heartbeat, LIMIT)));
		assertThat(item()).isEqualTo(item);
	}

	@Test
	void theContentOfAnItemIsNotQuoted() {
		Map<String, AttributeValue> item = lockOfTheAwsClient();
		for (String attribute : List.of("leaseDuration", "fencingToken")) {
			item.put(attribute, AttributeValue.fromS("secret\nforged"));
			put(item);
			Answer.Failed answer = (Answer.Failed) this.store.send(new Step.Read(KEY, true, LIMIT));
			assertThat(answer.failure()).hasMessageNotContainingAny("secret", "forged", "\n");
			item = lockOfTheAwsClient();
		}
	}

	@Test
	void aLockOfTheAwsClientIsReadAndItsHolderRespected() {
		put(lockOfTheAwsClient());
		LockRecord record = found();
		assertThat(record.ownerName()).isEqualTo("aws-host");
		assertThat(record.leaseDuration()).isEqualTo(Duration.ofSeconds(20));
		assertThat(record.data()).hasValue(new byte[] { 1, 2 });
		assertThat(record.fencingToken()).isEmpty();
		assertThat(claim("v2", null)).isInstanceOf(Answer.Refused.class);
	}

	@Test
	void aLockOfTheAwsClientIsTakenOverAndGetsAToken() {
		put(lockOfTheAwsClient());
		assertThat(claim("v2", "aws-1")).isInstanceOf(Answer.Applied.class);
		assertThat(found().fencingToken()).hasValue(1032);
		assertThat(found().ownerName()).isEqualTo("alice");
		Answer released = this.store.send(new Step.Write(Writes.release(KEY, "v3", Set.of("v2"), null, false), LIMIT));
		assertThat(released).isInstanceOf(Answer.Applied.class);
		// The AWS client fails on an item without these.
		assertThat(item()).containsKeys("ownerName", "leaseDuration", "recordVersionNumber");
	}

	@Test
	void aLockThatTheAwsClientReleasedIsTaken() {
		Map<String, AttributeValue> item = lockOfTheAwsClient();
		item.put("isReleased", AttributeValue.fromS("1"));
		put(item);
		assertThat(found().isReleased()).isTrue();
		assertThat(claim("v2", null)).isInstanceOf(Answer.Applied.class);
		assertThat(found().isReleased()).isFalse();
	}

	@Test
	void aLeaseThatAGoProgramWroteIsRead() {
		Map<String, AttributeValue> item = lockOfTheAwsClient();
		item.put("leaseDuration", AttributeValue.fromS("1m20s"));
		put(item);
		assertThat(found().leaseDuration()).isEqualTo(Duration.ofSeconds(80));
		assertThat(claim("v2", "aws-1")).isInstanceOf(Answer.Applied.class);
		assertThat(item()).containsEntry("leaseDuration", AttributeValue.fromS("20000"));
	}

	private Answer claim(String version, @Nullable String expired) {
		LockRecord wanted = LockRecord.builder(KEY, "alice", Duration.ofSeconds(20), version).build();
		return this.store.send(new Step.Write(Writes.claim(wanted, 1000, null, expired), LIMIT));
	}

	private LockRecord found() {
		Answer answer = this.store.send(new Step.Read(KEY, true, LIMIT));
		assertThat(answer).isInstanceOf(Answer.Found.class);
		LockRecord record = ((Answer.Found) answer).record();
		assertThat(record).isNotNull();
		return record;
	}

	private void assertNotALock(String attribute, Answer answer) {
		assertThat(answer).isInstanceOf(Answer.Failed.class);
		assertThat(((Answer.Failed) answer).failure())
			.isInstanceOfSatisfying(LockTableException.class,
					(failure) -> assertThat(failure.problem()).isEqualTo(LockTableException.Problem.NOT_A_LOCK))
			.hasMessageContaining(KEY.toString())
			.hasMessageContaining(this.schema.tableName())
			.hasMessageContaining(attribute);
	}

	private static Map<String, AttributeValue> lockOfTheAwsClient() {
		Map<String, AttributeValue> item = new HashMap<>();
		item.put("key", AttributeValue.fromS(KEY.partition()));
		item.put("ownerName", AttributeValue.fromS("aws-host"));
		item.put("leaseDuration", AttributeValue.fromS("20000"));
		item.put("recordVersionNumber", AttributeValue.fromS("aws-1"));
		item.put("data", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] { 1, 2 })));
		return item;
	}

	private void put(Map<String, AttributeValue> item) {
		TestDynamoDb.client().putItem((request) -> request.tableName(this.schema.tableName()).item(item));
	}

	private Map<String, AttributeValue> item() {
		return TestDynamoDb.client()
			.getItem((request) -> request.tableName(this.schema.tableName())
				.key(Map.of("key", AttributeValue.fromS(KEY.partition())))
				.consistentRead(true))
			.item();
	}

}
