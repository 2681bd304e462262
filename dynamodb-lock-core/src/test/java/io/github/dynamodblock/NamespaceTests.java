/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
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
 * Clients of several namespaces on one table.
 */
class NamespaceTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private final CallRecorder calls = new CallRecorder();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.calls);

	private final LockClient billing = client("billing");

	private final LockClient shop = client("shop");

	private final LockClient raw = client(null);

	private LockClient client(@Nullable String namespace) {
		return builder().namespace(namespace).build();
	}

	private LockClientBuilder builder() {
		return LockClient.builder(this.dynamoDb).tableName(this.table.tableName());
	}

	@AfterEach
	void close() {
		List.of(this.billing, this.shop, this.raw).forEach(LockClient::close);
		this.dynamoDb.close();
	}

	@Test
	void oneKeyInTwoNamespacesIsTwoLocks() throws Exception {
		HeldLock first = this.billing.acquire("orders");
		assertThat(this.shop.tryAcquire("orders")).isPresent();
		assertThat(this.raw.tryAcquire("orders")).isPresent();
		assertThat(first.isHeld()).isTrue();
		first.renew();
		try (LockClient another = client("billing")) {
			assertThat(another.tryAcquire("orders")).isEmpty();
			assertThat(first.release()).isEqualTo(ReleaseOutcome.RELEASED);
			assertThat(another.tryAcquire("orders")).isPresent();
		}
	}

	@Test
	void usersSeeKeysWithoutTheNamespaceAndTheTableHasBoth() throws Exception {
		HeldLock lock = this.billing.acquire("orders");
		assertThat(lock.key()).isEqualTo(LockKey.of("orders"));
		assertThat(lock.record().key()).isEqualTo(LockKey.of("orders"));
		assertThat(this.billing.find("orders").orElseThrow().key()).isEqualTo(LockKey.of("orders"));
		assertThat(TestDynamoDb.client().scan((scan) -> scan.tableName(this.table.tableName())).items())
			.extracting((item) -> item.get("key"))
			.containsExactly(AttributeValue.fromS("billing/orders"));
	}

	@Test
	void aRefusalShowsTheHolderUnderTheKeyThatWasAskedFor() throws Exception {
		this.billing.acquire("orders");
		try (LockClient another = client("billing")) {
			assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> another.acquire(LockRequest.of("orders").waitTime(Duration.ZERO)))
				.withMessageContaining("'orders'")
				.satisfies((ex) -> assertThat(ex.record().orElseThrow().key()).isEqualTo(LockKey.of("orders")));
		}
	}

	@Test
	void aClientWithoutNamespaceMeansTheSameLockByItsWholeKey() throws Exception {
		HeldLock held = this.raw.acquire("billing/orders");
		assertThat(this.billing.tryAcquire("orders")).isEmpty();
		assertThat(this.billing.find("orders").orElseThrow().fencingToken()).hasValue(held.fencingToken());
		held.release();
		assertThat(this.billing.tryAcquire("orders")).isPresent();
		assertThat(this.raw.find("billing/orders").orElseThrow().key()).isEqualTo(LockKey.of("billing/orders"));
	}

	@Test
	void aKeyMayHaveSlashesOfItsOwn() throws Exception {
		this.billing.acquire("orders/42/lines");
		assertThat(this.billing.find("orders/42/lines").orElseThrow().key()).isEqualTo(LockKey.of("orders/42/lines"));
	}

	@Test
	void anItemThatIsNotALockIsNamedAsTheTableHasIt() {
		TestDynamoDb.client()
			.putItem((put) -> put.tableName(this.table.tableName())
				.item(Map.of("key", AttributeValue.fromS("billing/prices"))));
		assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> this.billing.acquire("prices"))
			.withMessageContaining("'billing/prices'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "a/b", "a/" })
	void aNamespaceThatIsEmptyOrHasASlashIsRefused(String namespace) {
		assertThatIllegalArgumentException().isThrownBy(() -> builder().namespace(namespace))
			.withMessageContaining("namespace is '" + namespace + "'")
			.withMessageContaining("'/'");
	}

	@Test
	void aNamespaceThatLeavesNoRoomForAKeyIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> builder().namespace("ä".repeat(1024)))
			.withMessageContaining("2048 bytes")
			.withMessageContaining("2046");
		builder().namespace("ä".repeat(1023)).build().close();
	}

	@Test
	void namespaceAndKeyObeyTheLimitTogetherBeforeAnythingIsSent() throws Exception {
		String fits = "ä".repeat(1020);
		String tooLong = fits + "k";
		assertThat(this.billing.tryAcquire(fits)).isPresent();
		this.calls.clear();
		refused(tooLong, () -> this.billing.acquire(tooLong));
		refused(tooLong, () -> this.billing.tryAcquire(tooLong));
		refused(tooLong, () -> this.billing.find(tooLong));
		assertThat(this.calls.operations()).isEmpty();
		assertThat(this.raw.tryAcquire(tooLong)).isPresent();
	}

	static void refused(String partition, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call)
			.withMessageContaining("'billing'")
			.withMessageContaining(partition.substring(0, 40))
			.withMessageContaining("2049 bytes")
			.withMessageContaining("2048");
	}

	@Test
	void aSortKeyStaysAsItIs() throws Exception {
		TableSchema sorted = TestDynamoDb.newTable("part");
		try (LockClient client = LockClient.builder(this.dynamoDb)
			.tableName(sorted.tableName())
			.sortKeyName("part")
			.namespace("billing")
			.build()) {
			client.acquire(LockRequest.of(LockKey.of("orders", "2")));
			client.acquire(LockRequest.of(LockKey.of("orders", "1")));
			assertThat(client.find(LockKey.of("orders", "1")).orElseThrow().key()).isEqualTo(LockKey.of("orders", "1"));
			assertThat(client.tryAcquire(LockRequest.of(LockKey.of("orders", "2")))).isEmpty();
		}
	}

}
