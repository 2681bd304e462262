/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.FaultyCalls.Injection;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Releases that commit with items of the application, or not at all.
 */
class ReleaseWithItemsTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private final String counters = TestDynamoDb.newTable().tableName();

	private final FaultyCalls faults = new FaultyCalls();

	private final CallRecorder calls = new CallRecorder();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClientWithoutRetries(this.faults, this.calls);

	private final LockClient client = client("one", this.dynamoDb);

	private final LockClient other = client("two", TestDynamoDb.client());

	private LockClient client(String name, DynamoDbClient dynamoDb) {
		return LockClient.builder(dynamoDb)
			.tableName(this.table.tableName())
			.ownerName(name)
			.leaseDuration(Duration.ofSeconds(20))
			.build();
	}

	@AfterEach
	void close() {
		this.client.close();
		this.other.close();
		this.dynamoDb.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theItemsAndTheReleaseCommitTogether(boolean deleteOnRelease) throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		ReleaseRequest request = withItems(increment()).deleteOnRelease(deleteOnRelease)
			.change(ItemChange.none().attribute("state", AttributeValue.fromS("done")));
		assertThat(lock.release(request)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(counter()).isEqualTo(1);
		assertThat(lock.isHeld()).isFalse();
		assertThat(this.client.find("k").map(LockRecord::isReleased))
			.isEqualTo(deleteOnRelease ? Optional.empty() : Optional.of(true));
		assertThat(this.calls.calls().stream().filter((call) -> isTransaction(call.request()))).hasSize(1);
		assertThat(this.other.tryAcquire("k")).isPresent();
	}

	@Test
	void theReleaseChangesTheItemToo() throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		ItemChange done = ItemChange.none().data(new byte[] { 7 }).attribute("state", AttributeValue.fromS("done"));
		lock.release(withItems(increment()).change(done));
		LockRecord found = this.client.find("k").orElseThrow();
		assertThat(found.data()).hasValue(new byte[] { 7 });
		assertThat(found.attributes()).containsEntry("state", AttributeValue.fromS("done"));
	}

	@Test
	void aConditionThatDoesNotHoldReachesTheCallerAndTheLockStaysHeld() throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		assertThatExceptionOfType(TransactionCanceledException.class)
			.isThrownBy(() -> lock.release(withItems(increment(), onlyIfThere()).bestEffort(true)))
			.satisfies((cancelled) -> assertThat(cancelled.cancellationReasons()).extracting(CancellationReason::code)
				.containsExactly("None", "ConditionalCheckFailed"));
		assertThat(counter()).isZero();
		lock.ensureHeld();
		lock.renew();
		lock.transactWrite(List.of(increment()));
		assertThat(this.other.tryAcquire("k")).isEmpty();
		assertThat(lock.release(withItems(increment()))).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(counter()).isEqualTo(2);
	}

	@Test
	void closingTheHandleReleasesALockWhoseItemsWereRefusedAndSendsNothingAfterACommit() throws InterruptedException {
		assertThatExceptionOfType(TransactionCanceledException.class).isThrownBy(() -> {
			try (HeldLock lock = this.client.acquire("k")) {
				lock.release(withItems(onlyIfThere()));
			}
		});
		HeldLock free = this.other.tryAcquire("k").orElseThrow();
		free.release();
		int before;
		try (HeldLock lock = this.client.acquire("k")) {
			lock.release(withItems(increment()));
			before = this.calls.calls().size();
		}
		assertThat(this.calls.calls()).hasSize(before);
	}

	@Test
	void aHolderThatHasLostItsLockUnnoticedWritesNothingAndLearnsOfTheLossOnce() throws InterruptedException {
		AtomicInteger losses = new AtomicInteger();
		LockListener listener = new LockListener() {
			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				losses.incrementAndGet();
			}
		};
		HeldLock lock = this.client.acquire(LockRequest.of("k").automaticRenewal(false).listener(listener));
		this.other.forceRelease(lock.key(), lock.record().ownerName());
		HeldLock next = this.other.acquire("k");
		assertLost(lock);
		assertLost(lock);
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.LOST);
		assertThat(counter()).isZero();
		assertThat(next.isHeld()).isTrue();
		this.client.close();
		assertThat(losses).hasValue(1);
	}

	private void assertLost(HeldLock lock) {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.release(withItems(increment())))
			.satisfies((lost) -> assertThat(lost.reason()).isEqualTo(LossReason.STOLEN));
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> lock.releaseAsync(withItems(increment())).get(30, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockLostException.class);
	}

	@ParameterizedTest
	@MethodSource("io.github.dynamodblock.GuardedWriteTests#passingFaults")
	void aLostAnswerOrAThrottledCallIsRepeatedAndAllCommitsOnce(CallFault fault) throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		Injection injected = this.faults.inject(fault, ReleaseWithItemsTests::isTransaction, 2);
		assertThat(lock.release(withItems(increment()))).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(injected.count()).isEqualTo(2);
		assertThat(counter()).isEqualTo(1);
	}

	@Test
	void whatStaysUnknownIsReportedAsUnknownAndALaterReleaseRecognisesTheCommit() throws InterruptedException {
		HeldLock lock = this.client.acquire(LockRequest.of("k").leaseDuration(Duration.ofSeconds(5)));
		Injection lost = this.faults.inject(CallFault.answerLost(), ReleaseWithItemsTests::isTransaction);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> lock.release(withItems(increment()).bestEffort(true).waitTime(Duration.ofMinutes(1))))
			.withMessageContaining("it may have been committed or not");
		lost.stop();
		assertThat(counter()).isEqualTo(1);
		assertThatIllegalStateException().isThrownBy(() -> lock.release(withItems(increment())));
		int before = this.calls.calls().size();
		lock.close();
		assertThat(this.calls.calls()).hasSize(before);
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(counter()).isEqualTo(1);
	}

	@Test
	void aReleaseThatOutlastsItsWaitTimeGoesOn() throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		CountDownLatch waited = new CountDownLatch(1);
		this.faults.inject(new CallFault() {
			@Override
			public void beforeSending(SdkRequest request) {
				await().until(() -> waited.getCount() == 0);
			}
		}, ReleaseWithItemsTests::isTransaction, 1);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> lock.release(withItems(increment()).waitTime(Duration.ofMillis(50))))
			.withMessageContaining("it goes on in the background")
			.withMessageContaining("With its items, it may have been committed or not");
		waited.countDown();
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
		assertThat(counter()).isEqualTo(1);
	}

	@Test
	void anAsynchronousReleaseEndsAsTheOtherDoes() throws Exception {
		HeldLock lock = this.client.acquire("k");
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> lock.releaseAsync(withItems(onlyIfThere())).get(30, TimeUnit.SECONDS))
			.withCauseInstanceOf(TransactionCanceledException.class);
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.releaseAsync(withItems(increment())).get(30, TimeUnit.SECONDS))
			.isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(counter()).isEqualTo(1);
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> lock.releaseAsync(withItems(increment())).get(30, TimeUnit.SECONDS))
			.withCauseInstanceOf(IllegalStateException.class);
	}

	@Test
	void aReleasedOrDetachedHandleSendsNothing() throws InterruptedException {
		HeldLock released = this.client.acquire("k");
		released.release();
		HeldLock detached = this.client.acquire("k");
		detached.detach();
		int before = this.calls.calls().size();
		assertThatIllegalStateException().isThrownBy(() -> released.release(withItems(increment())))
			.withMessageContaining("released by this handle");
		assertThatIllegalStateException().isThrownBy(() -> detached.release(withItems(increment())))
			.withMessageContaining("detached from this handle");
		assertThat(this.calls.calls()).hasSize(before);
	}

	@Test
	void whatDynamoDbWouldRefuseIsReportedBeforeAnythingIsSent() throws InterruptedException {
		HeldLock lock = this.client.acquire(LockRequest.of("k").automaticRenewal(false));
		int before = this.calls.calls().size();
		TransactWriteItem[] many = IntStream.range(0, 100)
			.mapToObj((number) -> increment())
			.toArray(TransactWriteItem[]::new);
		assertInvalid(lock, withItems(), "has 0 items; it must have 1 to 99");
		assertInvalid(lock, withItems(many), "has 100 items");
		TransactWriteItem own = TransactWriteItem.builder()
			.put(Put.builder()
				.tableName(this.table.tableName())
				.item(Map.of("key", AttributeValue.fromS("k"), "data", AttributeValue.fromS("mine")))
				.build())
			.build();
		assertInvalid(lock, withItems(increment(), own), "is the item of the lock itself");
		TransactWriteItem large = put(Map.of("key", AttributeValue.fromS("x".repeat(380_000))));
		TransactWriteItem[] nearlyTooLarge = IntStream.range(0, 11)
			.mapToObj((number) -> large)
			.toArray(TransactWriteItem[]::new);
		ItemChange data = ItemChange.none().data(new byte[50_000]);
		assertInvalid(lock, withItems(nearlyTooLarge).change(data), "DynamoDB allows 4194304");
		assertThat(this.calls.calls()).hasSize(before);
		assertThat(lock.isHeld()).isTrue();
	}

	private static void assertInvalid(HeldLock lock, ReleaseRequest request, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> lock.release(request)).withMessageContaining(message);
		assertThatIllegalArgumentException().isThrownBy(() -> lock.releaseAsync(request))
			.withMessageContaining(message);
	}

	@Test
	void aTokenOfTheCallersThatRepeatsAnotherTransactionIsReportedAndTheLockStaysHeld() throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		TransactWriteItemsRequest request = TransactWriteItemsRequest.builder()
			.transactItems(increment())
			.clientRequestToken(UUID.randomUUID().toString())
			.build();
		lock.transactWrite(request);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> lock.release(ReleaseRequest.create().transactWrite(request).bestEffort(true)))
			.withMessageContaining("IdempotentParameterMismatch");
		assertThat(lock.isHeld()).isTrue();
		assertThat(counter()).isEqualTo(1);
	}

	private static ReleaseRequest withItems(TransactWriteItem... items) {
		return ReleaseRequest.create().transactWrite(List.of(items));
	}

	private static boolean isTransaction(SdkRequest request) {
		return request instanceof TransactWriteItemsRequest;
	}

	private TransactWriteItem increment() {
		return TransactWriteItem.builder()
			.update(Update.builder()
				.tableName(this.counters)
				.key(Map.of("key", AttributeValue.fromS("counter")))
				.updateExpression("ADD written :one")
				.expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")))
				.build())
			.build();
	}

	private TransactWriteItem put(Map<String, AttributeValue> item) {
		return TransactWriteItem.builder().put(Put.builder().tableName(this.counters).item(item).build()).build();
	}

	private TransactWriteItem onlyIfThere() {
		return TransactWriteItem.builder()
			.put(Put.builder()
				.tableName(this.counters)
				.item(Map.of("key", AttributeValue.fromS("order")))
				.conditionExpression("attribute_exists(#key)")
				.expressionAttributeNames(Map.of("#key", "key"))
				.build())
			.build();
	}

	private int counter() {
		AttributeValue written = this.dynamoDb
			.getItem((get) -> get.tableName(this.counters)
				.key(Map.of("key", AttributeValue.fromS("counter")))
				.consistentRead(true))
			.item()
			.get("written");
		return (written == null) ? 0 : Integer.parseInt(written.n());
	}

}
