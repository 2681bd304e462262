/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The application's part of a lock's item, from the client down to the table.
 */
class ApplicationAttributesTests {

	private static final AttributeValue ONE = AttributeValue.fromN("1");

	private static final AttributeValue TWO = AttributeValue.fromN("2");

	private final TableSchema table = TestDynamoDb
		.create(new TableSchema(TestDynamoDb.newTableName(), "lock id", "part", "the token", "ttl"));

	private final CallRecorder calls = new CallRecorder();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.calls);

	private final LockClient client = LockClient.builder(this.dynamoDb)
		.tableName(this.table.tableName())
		.partitionKeyName("lock id")
		.sortKeyName("part")
		.fencingTokenAttributeName("the token")
		.timeToLiveAttributeName("ttl")
		.build();

	private final LockKey key = LockKey.of("orders", "42");

	private final LockRequest request = LockRequest.of(this.key);

	@AfterEach
	void close() {
		this.client.close();
		this.dynamoDb.close();
	}

	@Test
	void dataAndAttributesAreReadableByAllClientsUntilTheNextAcquisition() throws Exception {
		ItemChange change = ItemChange.none().data(new byte[] { 1, 2 }).attribute("host", AttributeValue.fromS("h"));
		HeldLock lock = this.client.acquire(this.request.change(change));
		assertThat(lock.record().attributes()).isEqualTo(change.attributes());
		assertThat(lock.record().data()).hasValue(new byte[] { 1, 2 });
		assertThat(found()).usingRecursiveComparison().isEqualTo(lock.record());
		lock.renew();
		assertThat(found()).usingRecursiveComparison().isEqualTo(lock.record());
		lock.release();
		assertThat(found().attributes()).isEqualTo(change.attributes());
		assertThat(found().data()).hasValue(new byte[] { 1, 2 });
	}

	@Test
	void anAcquisitionKeepsAttributesAndRemovesDataUnlessAsked() throws Exception {
		leave(ItemChange.none().data(new byte[] { 1 }).attribute("a", ONE));
		try (HeldLock lock = this.client.acquire(this.request)) {
			assertThat(lock.record().attributes()).isEqualTo(Map.of("a", ONE));
			assertThat(lock.record().data()).isEmpty();
		}
		leave(ItemChange.none().data(new byte[] { 2 }));
		try (HeldLock lock = this.client.acquire(this.request.change(ItemChange.none()))) {
			assertThat(lock.record().data()).hasValue(new byte[] { 2 });
		}
	}

	@Test
	void anAcquisitionMergesAndRemovesAttributes() throws Exception {
		leave(ItemChange.none().attribute("a", ONE).attribute("b", ONE).attribute("c", ONE));
		ItemChange change = ItemChange.none().attribute("a", TWO).removeAttributes("b", "unknown");
		try (HeldLock lock = this.client.acquire(this.request.change(change))) {
			assertThat(lock.record().attributes()).isEqualTo(Map.of("a", TWO, "c", ONE));
			assertThat(found().attributes()).isEqualTo(lock.record().attributes());
		}
	}

	@Test
	void aRenewalKeepsMergesAndRemoves() throws Exception {
		try (HeldLock lock = this.client
			.acquire(this.request.change(ItemChange.none().data(new byte[] { 1 }).attribute("a", ONE)))) {
			renew(lock, ItemChange.none().attribute("b", ONE));
			assertThat(found().attributes()).isEqualTo(Map.of("a", ONE, "b", ONE));
			assertThat(found().data()).hasValue(new byte[] { 1 });
			renew(lock, ItemChange.none().removeAttributes("a").data(new byte[] { 2 }));
			assertThat(found().attributes()).isEqualTo(Map.of("b", ONE));
			assertThat(found().data()).hasValue(new byte[] { 2 });
			renew(lock, ItemChange.none().removeAttributes("b").attribute("c", TWO).removeData());
			assertThat(found().attributes()).isEqualTo(Map.of("c", TWO));
			assertThat(found().data()).isEmpty();
			assertThat(lock.isHeld()).isTrue();
		}
		assertThat(this.calls.operations()).containsOnly("UpdateItem", "GetItem");
		assertThat(this.calls.operations().stream().filter("UpdateItem"::equals)).hasSize(5);
	}

	@Test
	void aReleaseMergesAndRemovesInItsOneWrite() throws Exception {
		HeldLock first = this.client.acquire(this.request.change(ItemChange.none().attribute("a", ONE)));
		first.release(release(ItemChange.none().attribute("b", ONE).removeAttributes("a").data(new byte[] { 1 })));
		assertThat(found().isReleased()).isTrue();
		assertThat(found().attributes()).isEqualTo(Map.of("b", ONE));
		assertThat(found().data()).hasValue(new byte[] { 1 });
		HeldLock second = this.client.acquire(this.request.change(ItemChange.none()));
		this.calls.clear();
		second.release(release(ItemChange.none().removeAttributes("b").attribute("c", ONE).removeData()));
		assertThat(this.calls.operations()).containsExactly("UpdateItem");
		assertThat(found().attributes()).isEqualTo(Map.of("c", ONE));
		assertThat(found().data()).isEmpty();
	}

	@Test
	void aDeletingReleaseIgnoresTheChange() throws Exception {
		HeldLock lock = this.client.acquire(this.request.deleteOnRelease(true));
		lock.release(release(ItemChange.none().attribute("a", ONE)));
		assertThat(this.client.find(this.key)).isEmpty();
	}

	@Test
	void valuesOfEveryTypeComeBack() throws Exception {
		Map<String, AttributeValue> values = new LinkedHashMap<>();
		values.put("S", AttributeValue.fromS("text"));
		values.put("N", AttributeValue.fromN("-1.5"));
		values.put("BOOL", AttributeValue.fromBool(false));
		values.put("NULL", AttributeValue.fromNul(true));
		values.put("SS", AttributeValue.fromSs(List.of("a", "b")));
		values.put("L", AttributeValue.fromL(List.of(ONE, AttributeValue.fromS("x"))));
		values.put("M", AttributeValue.fromM(Map.of("ownerName", AttributeValue.fromS("nested"))));
		values.put("a name: with #signs", ONE);
		try (HeldLock lock = this.client.acquire(this.request.change(ItemChange.none().attributes(values)))) {
			assertThat(lock.record().attributes()).isEqualTo(values);
			assertThat(found().attributes()).isEqualTo(values);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lock id", "part", "ownerName", "leaseDuration", "recordVersionNumber", "isReleased",
			"data", "acquiredAt", "requestName", "renewedAt", "leaseEnds", "the token", "ttl" })
	void aNameOfTheLockItselfIsRefusedBeforeAnythingIsSent(String name) throws Exception {
		HeldLock lock = this.client.acquire(this.request);
		this.calls.clear();
		for (ItemChange change : List.of(ItemChange.none().attribute(name, AttributeValue.fromS("1")),
				ItemChange.none().removeAttributes("a", name))) {
			LockRequest other = LockRequest.of(LockKey.of("orders", "43")).change(change);
			assertReserved(name, () -> this.client.acquire(other));
			assertReserved(name, () -> this.client.tryAcquire(other));
			assertReserved(name, () -> renew(lock, change));
			assertReserved(name, () -> lock.release(release(change)));
		}
		assertThat(this.calls.calls()).isEmpty();
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void namesThatAreOnlyReservedInOtherTablesAreTheApplications() throws Exception {
		ItemChange change = ItemChange.none()
			.attribute("key", ONE)
			.attribute("fencingToken", ONE)
			.attribute("expiresAt", ONE);
		try (HeldLock lock = this.client.acquire(this.request.change(change))) {
			assertThat(lock.record().attributes()).isEqualTo(change.attributes());
			assertThat(lock.fencingToken()).isGreaterThan(1);
		}
	}

	@Test
	void anItemLargerThanDynamoDbAllowsIsRefusedBeforeAnythingIsSent() throws Exception {
		HeldLock lock = this.client.acquire(this.request.data(new byte[300 * 1024]));
		this.calls.clear();
		ItemChange more = ItemChange.none().attribute("more", AttributeValue.fromS("x".repeat(101 * 1024)));
		LockRequest other = LockRequest.of(LockKey.of("orders", "43")).data(new byte[400 * 1024]);
		assertTooLarge(() -> this.client.acquire(other));
		assertTooLarge(() -> this.client.tryAcquire(other));
		assertTooLarge(() -> renew(lock, more));
		assertTooLarge(() -> lock.release(release(more)));
		assertThat(this.calls.calls()).isEmpty();
		assertThat(lock.isHeld()).isTrue();
		renew(lock, more.removeData());
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aLockWhoseItemOthersHaveFilledIsRenewedEmptiedAndReleased() throws Exception {
		leave(ItemChange.none().data(new byte[350 * 1024]));
		TestDynamoDb.client()
			.updateItem((update) -> update.tableName(this.table.tableName())
				.key(Map.of("lock id", AttributeValue.fromS("orders"), "part", AttributeValue.fromS("42")))
				.updateExpression("SET foreign_text = :text")
				.expressionAttributeValues(Map.of(":text", AttributeValue.fromS("x".repeat(50 * 1024 - 330)))));
		HeldLock lock = this.client.acquire(this.request.change(ItemChange.none()));
		lock.renew();
		assertTooLarge(() -> renew(lock, ItemChange.none().attribute("more", AttributeValue.fromS("x".repeat(1024)))));
		renew(lock, ItemChange.none().removeAttributes("unknown"));
		lock.close();
		assertThat(found().isReleased()).isTrue();
	}

	@Test
	void anItemThatGrowsTooLargeByWhatItHadIsRefusedByDynamoDbAndNothingIsTaken() throws Exception {
		leave(ItemChange.none().attribute("a", AttributeValue.fromS("x".repeat(300 * 1024))));
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.client.acquire(this.request.data(new byte[200 * 1024])))
			.withMessageContaining("size");
		assertThat(found().isReleased()).isTrue();
		this.client.acquire(this.request).release();
	}

	private LockRecord found() {
		return this.client.find(this.key).orElseThrow();
	}

	/** A lock that an owner before left behind. */
	@Test
	void aReleaseWhoseChangeIsRefusedIsRepeatedWithoutIt() throws Exception {
		HeldLock lock = this.client.acquire(this.request);
		ReleaseRequest release = ReleaseRequest.create()
			.change(ItemChange.none().attribute("tags", AttributeValue.fromSs(List.of())));
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lock.release(release))
			.withMessageContaining("did not succeed; unless another release does");
		assertThat(found().isReleased()).isFalse();
		lock.close();
		assertThat(found().isReleased()).isTrue();
	}

	private void leave(ItemChange change) throws InterruptedException {
		this.client.acquire(this.request.change(change)).release();
	}

	private static void renew(HeldLock lock, ItemChange change) throws InterruptedException {
		lock.renew(RenewRequest.create().change(change));
	}

	private static ReleaseRequest release(ItemChange change) {
		return ReleaseRequest.create().change(change);
	}

	private static void assertReserved(String name, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call)
			.withMessageContaining("names [" + name + "]")
			.withMessageContaining("'orders");
	}

	private static void assertTooLarge(ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call)
			.withMessageContaining("'orders")
			.withMessageContaining("409600");
	}

}
