/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

class LockClientTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private final CallRecorder calls = new CallRecorder();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.calls);

	private final LockClient client = builder("one").build();

	private final LockClient other = LockClient.builder(TestDynamoDb.client())
		.tableName(this.table.tableName())
		.ownerName("two")
		.build();

	@AfterEach
	void close() {
		this.client.close();
		this.other.close();
		this.dynamoDb.close();
	}

	@Test
	void anUncontendedCycleIsTwoConditionalUpdatesAndTwoWriteUnits() throws Exception {
		HeldLock lock = this.client.acquire("k");
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(this.calls.operations()).containsExactly("UpdateItem", "UpdateItem");
		assertThat(this.calls.calls()).allSatisfy((call) -> {
			assertThat(((UpdateItemRequest) call.request()).conditionExpression()).isNotEmpty();
			assertThat(call.consumedUnits()).hasValue(1.0);
		});
	}

	@Test
	void whatIsHeldAndWhoWaitsIsShownUnderItsNameWithoutACall() throws Exception {
		LockRequest request = LockRequest.of("k").name("orders").waitTime(Duration.ofMinutes(1));
		HeldLock first = this.client.acquire(request);
		CompletableFuture<HeldLock> second = this.client.acquireAsync(request, Runnable::run);
		int before = this.calls.operations().size();
		assertThat(this.client.held()).containsExactly(first);
		assertThat(first.name()).hasValue("orders");
		assertThat(this.client.tableName()).isEqualTo(this.table.tableName());
		assertThat(this.client.waiting()).singleElement()
			.satisfies((waiting) -> assertThat(waiting.request()).isSameAs(request));
		assertThat(this.calls.operations()).hasSize(before);
		first.release();
		assertThat(second).succeedsWithin(Duration.ofSeconds(20));
		assertThat(this.client.waiting()).isEmpty();
		assertThat(this.client.held()).containsExactly(second.join());
	}

	@Test
	void aRefusedTryIsOneWriteAndNoRead() throws Exception {
		try (HeldLock held = this.other.acquire("k")) {
			assertThat(this.client.tryAcquire("k")).isEmpty();
			assertThat(held.isHeld()).isTrue();
		}
		assertThat(this.calls.operations()).containsExactly("UpdateItem");
	}

	@Test
	void aTryAtOnceAfterARefusedTryIsRefusedInTheSameWay() throws Exception {
		try (HeldLock held = this.other.acquire("k")) {
			for (int i = 0; i < 200; i++) {
				assertThat(this.client.tryAcquire("k")).isEmpty();
			}
			assertThat(held.isHeld()).isTrue();
		}
		assertThat(this.calls.operations()).hasSize(200);
	}

	@Test
	void aWaiterMakesNoCallButPollsAndItsWrites() throws Exception {
		HeldLock held = this.other.acquire("k");
		CompletableFuture<HeldLock> waiter = acquireInBackground(LockRequest.of("k"));
		await().until(() -> this.calls.calls().size() >= 5);
		held.release();
		waiter.get().release();
		assertThat(this.calls.operations().get(0)).isEqualTo("UpdateItem");
		// On a slow machine, it also leaves its name for the holder.
		assertThat(this.calls.calls()).map(CallRecorder.Call::request)
			.filteredOn((request) -> request instanceof UpdateItemRequest write
					&& !write.expressionAttributeNames().containsValue("wantedBy"))
			.hasSize(3);
		assertThat(this.calls.operations()).containsOnly("UpdateItem", "GetItem");
	}

	@Test
	void aRefusalNamesTheHolderAndItsRemainingLease() throws Exception {
		try (HeldLock held = this.other.acquire("k")) {
			assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> this.client.acquire(LockRequest.of("k").waitTime(Duration.ofMillis(200))))
				.withMessageContaining("'k'")
				.withMessageContaining("was not granted within 200 ms: it is held by")
				.withMessageContaining("unless it is renewed")
				.withMessageContaining(this.other.ownerName())
				.satisfies((ex) -> {
					assertThat(ex.record().orElseThrow().fencingToken()).hasValue(held.fencingToken());
					assertThat(ex.leaseRemaining().orElseThrow()).isBetween(Duration.ofSeconds(1),
							Duration.ofSeconds(20));
				});
		}
	}

	@Test
	void findShowsALockToAnyoneAndTakesNothing() throws Exception {
		assertThat(this.client.find("k")).isEmpty();
		HeldLock held = this.other.acquire(LockRequest.of("k").data(new byte[] { 1, 2, 3 }));
		LockRecord found = this.client.find("k").orElseThrow();
		assertThat(found.ownerName()).isEqualTo(this.other.ownerName()).startsWith("two-");
		assertThat(found.leaseDuration()).isEqualTo(Duration.ofSeconds(20));
		assertThat(found.data()).hasValue(new byte[] { 1, 2, 3 });
		assertThat(found.fencingToken()).hasValue(held.fencingToken());
		assertThat(found.isReleased()).isFalse();
		assertThat(found.acquiredAt()).isPresent();
		held.release();
		assertThat(this.client.find("k").orElseThrow().isReleased()).isTrue();
		assertThat(this.calls.operations()).containsOnly("GetItem");
	}

	@Test
	void twoClientsOfOneNameAreTwoOwners() throws Exception {
		try (LockClient twin = builder("one").build(); HeldLock lock = this.client.acquire("k")) {
			assertThat(twin.ownerName()).isNotEqualTo(this.client.ownerName());
			assertThat(twin.tryAcquire("k")).isEmpty();
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void anInterruptEndsTheCallAtOnceAndLeavesNothingLocked() throws Exception {
		HeldLock held = this.other.acquire("k");
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		Thread caller = new Thread(() -> {
			try {
				this.client.acquire(LockRequest.of("k").waitTime(Duration.ofSeconds(Long.MAX_VALUE)));
			}
			catch (Throwable ex) {
				thrown.set(ex);
			}
		});
		caller.start();
		await().until(() -> this.calls.calls().size() >= 3);
		caller.interrupt();
		caller.join();
		assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
		held.release();
		assertThat(this.other.tryAcquire("k")).isPresent();
	}

	@Test
	void anInterruptedThreadGetsNoLockButCanReleaseOne() throws Exception {
		HeldLock lock = this.client.acquire("k");
		Thread.currentThread().interrupt();
		try {
			assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.client.acquire("another"));
			Thread.currentThread().interrupt();
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
		finally {
			Thread.interrupted();
		}
		assertThat(this.other.tryAcquire("k")).isPresent();
	}

	@Test
	void aListenerThatBlocksOrThrowsAffectsNoLock() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		LockListener blocking = new LockListener() {
			@Override
			public void onAcquired(HeldLock lock) {
				try {
					never.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
		};
		LockListener throwing = new LockListener() {
			@Override
			public void onAcquired(HeldLock lock) {
				throw new IllegalStateException("thrown by the test's listener");
			}
		};
		HeldLock blocked = this.client.acquire(LockRequest.of("a").listener(blocking));
		HeldLock thrown = this.client.acquire(LockRequest.of("b").listener(throwing));
		blocked.renew();
		thrown.renew();
		assertThat(blocked.release()).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(thrown.release()).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aListenerThatBlocksKeepsNothingFromTheOthers() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		try (LockClient listening = builder("listening").listener(new LockListener() {
			@Override
			public void onAcquired(HeldLock lock) {
				assertThatNoException().isThrownBy(() -> assertThat(never.await(1, TimeUnit.MINUTES)).isTrue());
			}
		}).listener(new LockListener() {
			@Override
			public void onReleased(HeldLock lock) {
				released.countDown();
			}
		}).build()) {
			listening.acquire("k").release();
			assertThat(released.await(20, TimeUnit.SECONDS)).isTrue();
			never.countDown();
		}
	}

	@Test
	void aReleasedHandleHoldsNothingAndMakesNoCall() throws Exception {
		HeldLock lock = this.client.acquire("k");
		lock.ensureHeld();
		lock.release();
		assertThat(lock.isHeld()).isFalse();
		assertThat(lock.remaining()).isZero();
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(lock::ensureHeld)
			.withMessageContaining("'k'");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(lock::renew);
		assertThat(this.calls.operations()).hasSize(2);
	}

	@Test
	void anAdministratorsDeletionIsALossThatIsReportedOnce() throws Exception {
		CompletableFuture<LossReason> reported = new CompletableFuture<>();
		HeldLock lock = this.client.acquire(LockRequest.of("k").listener(new LockListener() {
			@Override
			public void onLost(HeldLock lost, LossReason reason) {
				assertThat(reported.complete(reason)).isTrue();
			}
		}));
		TestDynamoDb.client()
			.deleteItem(
					(delete) -> delete.tableName(this.table.tableName()).key(Map.of("key", AttributeValue.fromS("k"))));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::renew)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(LossReason.ITEM_MISSING))
			.withMessageContaining("'k'")
			.withMessageContaining(Long.toString(lock.fencingToken()));
		assertThat(reported.get()).isEqualTo(LossReason.ITEM_MISSING);
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.LOST);
	}

	@Test
	void aLossThatOnlyTheReleaseFindsHasItsReasonToo() throws Exception {
		HeldLock lock = this.client.acquire("k");
		TestDynamoDb.client()
			.deleteItem(
					(delete) -> delete.tableName(this.table.tableName()).key(Map.of("key", AttributeValue.fromS("k"))));
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.LOST);
		assertThat(lock.lossReason()).hasValue(LossReason.ITEM_MISSING);
	}

	@Test
	void aDeletedItemDoesNotStartTheTokensAnew() throws Exception {
		LockClient deleting = builder("deleting").deleteOnRelease(true).build();
		try (deleting) {
			HeldLock first = deleting.acquire("k");
			first.release();
			assertThat(this.client.find("k")).isEmpty();
			assertThat(this.other.acquire("k").fencingToken()).isGreaterThan(first.fencingToken());
		}
	}

	@Test
	void afterCloseNothingIsLockedAndEveryCallFailsAsClosed() throws Exception {
		HeldLock lock = this.client.acquire("k");
		CompletableFuture<HeldLock> waiter = acquireInBackground(LockRequest.of("k"));
		this.client.close();
		this.client.close();
		assertThat(lock.lossReason()).hasValue(LossReason.CLOSED);
		assertThat(waiter).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockClientClosedException.class);
		assertThat(this.other.tryAcquire("k")).isPresent();
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> this.client.acquire("k"))
			.withMessageContaining(this.client.ownerName());
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> this.client.tryAcquire("k"));
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> this.client.find("k"));
	}

	@Test
	void waitingIndefinitelyIsPossible() throws Exception {
		HeldLock held = this.other.acquire("k");
		CompletableFuture<HeldLock> waiter = acquireInBackground(
				LockRequest.of("k").waitTime(Duration.ofSeconds(Long.MAX_VALUE)));
		await().until(() -> this.calls.calls().size() >= 3);
		held.release();
		assertThat(waiter.get().isHeld()).isTrue();
	}

	@Test
	void aWaitOfZeroIsOneAttemptAndNotTheClientsOwnWait() throws Exception {
		try (HeldLock held = this.other.acquire("k")) {
			assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> this.client.acquire(LockRequest.of("k").waitTime(Duration.ZERO)))
				.withMessageContaining("at the first attempt");
			assertThat(held.isHeld()).isTrue();
		}
		assertThat(this.calls.operations()).hasSize(1);
	}

	@Test
	void theItemOfAnUnusedLockExpires() throws Exception {
		this.client.acquire("k").release();
		Map<String, AttributeValue> item = TestDynamoDb.client()
			.getItem((get) -> get.tableName(this.table.tableName()).key(Map.of("key", AttributeValue.fromS("k"))))
			.item();
		AttributeValue expires = item.getOrDefault("expiresAt", AttributeValue.fromN("0"));
		Instant now = Instant.now();
		assertThat(Instant.ofEpochSecond(Long.parseLong(expires.n()))).isBetween(now.plus(Duration.ofDays(6)),
				now.plus(Duration.ofDays(8)));
	}

	@Test
	void aTableWithASortKeyHasALockForEachPairOfKeys() throws Exception {
		TableSchema sorted = TestDynamoDb.newTable("part");
		try (LockClient client = LockClient.builder(this.dynamoDb)
			.tableName(sorted.tableName())
			.sortKeyName("part")
			.build()) {
			HeldLock first = client.acquire(LockRequest.of(LockKey.of("orders", "1")));
			Optional<HeldLock> second = client.tryAcquire(LockRequest.of(LockKey.of("orders", "2")));
			assertThat(first.isHeld()).isTrue();
			assertThat(second).isPresent();
		}
	}

	private LockClientBuilder builder(String owner) {
		return LockClient.builder(this.dynamoDb).tableName(this.table.tableName()).ownerName(owner);
	}

	private CompletableFuture<HeldLock> acquireInBackground(LockRequest request) {
		CompletableFuture<HeldLock> result = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				result.complete(this.client.acquire(request));
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
		});
		thread.setDaemon(true);
		thread.start();
		return result;
	}

}
