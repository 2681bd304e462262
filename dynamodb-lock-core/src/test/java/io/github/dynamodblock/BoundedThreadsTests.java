/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.Hang;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The number of threads that a client uses at most.
 */
@Timeout(120)
class BoundedThreadsTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final TableSchema table = TestDynamoDb.newTable();

	private final FaultyCalls faults = new FaultyCalls();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.faults);

	private final AtomicInteger threads = new AtomicInteger();

	private final AtomicInteger mostThreads = new AtomicInteger();

	@AfterEach
	void close() {
		this.dynamoDb.close();
	}

	@Test
	void manyAcquisitionsWithSlowCallsTakeFewThreadsAndAreAllGranted() {
		try (LockClient client = builder().build(); Hang hang = Hang.untilTheirLimit()) {
			this.faults.inject(hang, LockCalls::isClaim, 20);
			CompletableFuture<?>[] locks = acquireAsync(client, 500);
			await().until(() -> hang.hanging() == 20);
			assertThat(this.mostThreads).hasValueLessThanOrEqualTo(40);
			hang.close();
			CompletableFuture.allOf(locks).join();
			assertThat(this.mostThreads).hasValueLessThanOrEqualTo(100);
		}
	}

	@Test
	void aReleaseDoesNotWaitBehindAcquisitionsWhoseCallsHang() throws Exception {
		try (LockClient client = builder().build(); Hang hang = Hang.untilTheirLimit()) {
			HeldLock held = client.acquire("held");
			this.faults.inject(hang, LockCalls::isClaim);
			acquireAsync(client, 100);
			await().until(() -> hang.hanging() == 20);
			assertThat(held.release(ReleaseRequest.create().waitTime(Duration.ofSeconds(4))))
				.isEqualTo(ReleaseOutcome.RELEASED);
			assertThat(client.find("held")).hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
		}
	}

	@Test
	void aReleaseDoesNotWaitBehindReadsThatHang() throws Exception {
		List<Thread> readers = new ArrayList<>();
		try (LockClient client = builder().build(); Hang hang = Hang.untilTheirLimit()) {
			HeldLock held = client.acquire("held");
			this.faults.inject(hang, (request) -> request instanceof GetItemRequest);
			for (int i = 0; i < 30; i++) {
				readers.add(new Thread(() -> client.find("k"), "reader"));
			}
			readers.forEach(Thread::start);
			await().until(() -> readers.stream().allMatch(BoundedThreadsTests::waits));
			assertThat(hang.hanging()).isEqualTo(20);
			assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
			assertThat(hang.hanging()).isEqualTo(20);
			hang.close();
			for (Thread reader : readers) {
				reader.join();
			}
		}
	}

	@Test
	void listingsAreCallsLikeOthersAndNoMoreOfThemAtATimeThanTheLimitAllows() throws Exception {
		List<Thread> readers = new ArrayList<>();
		try (LockClient client = builder().maxConcurrentCalls(5).build(); Hang hang = Hang.untilTheirLimit()) {
			client.acquire("held");
			this.faults.inject(hang, (request) -> request instanceof ScanRequest);
			for (int i = 0; i < 10; i++) {
				readers.add(new Thread(() -> client.list().forEach((lock) -> {
				}), "reader"));
			}
			readers.forEach(Thread::start);
			await().until(() -> readers.stream().allMatch(BoundedThreadsTests::waits) && hang.hanging() == 4);
			hang.close();
			for (Thread reader : readers) {
				reader.join();
			}
		}
	}

	@Test
	void aGuardedWriteDoesNotWaitBehindAcquisitionsWhoseCallsHang() throws Exception {
		try (LockClient client = builder().build(); Hang hang = Hang.untilTheirLimit()) {
			HeldLock held = client.acquire("held");
			FaultyCalls.Injection hung = this.faults.inject(hang, LockCalls::isClaim);
			acquireAsync(client, 100);
			await().until(() -> hang.hanging() == 20);
			held.transactWrite(List.of(TransactWriteItem.builder()
				.put((put) -> put.tableName(client.tableName()).item(Map.of("key", AttributeValue.fromS("item"))))
				.build()));
			assertThat(hung.count()).as("no hung call had to end first").isEqualTo(20);
		}
	}

	@Test
	void callersThatReleaseCallDynamoDbThemselvesAndNoMoreOfThemAtATimeThanTheLimitAllows() throws Exception {
		try (LockClient client = builder().maxConcurrentCalls(2).build(); Hang hang = Hang.beyondTheirLimit()) {
			List<HeldLock> locks = new ArrayList<>();
			for (int i = 0; i < 6; i++) {
				locks.add(client.acquire("k" + i));
			}
			this.faults.inject(hang, LockCalls::isRelease);
			List<FutureTask<ReleaseOutcome>> releases = locks.stream()
				.map((lock) -> new FutureTask<>(lock::release))
				.toList();
			List<Thread> callers = releases.stream().map((release) -> new Thread(release, "caller")).toList();
			callers.forEach(Thread::start);
			await().until(() -> callers.stream().allMatch(BoundedThreadsTests::waits) && hang.hanging() == 2);
			hang.close();
			for (FutureTask<ReleaseOutcome> release : releases) {
				assertThat(release.get()).isEqualTo(ReleaseOutcome.RELEASED);
			}
		}
	}

	private static boolean waits(Thread thread) {
		return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
	}

	@Test
	void aListenerThatBlocksTakesFewThreadsAndDelaysNoOther() throws Exception {
		CountDownLatch over = new CountDownLatch(1);
		Set<LockKey> heard = ConcurrentHashMap.newKeySet();
		try (LockClient client = builder().listener(new Blocking(over)).listener(new Hearing(heard)).build()) {
			CompletableFuture.allOf(acquireAsync(client, 300)).join();
			await().atMost(LONG).until(() -> heard.size() == 300);
			assertThat(this.mostThreads).hasValueLessThanOrEqualTo(150);
			over.countDown();
		}
	}

	@Test
	void listenersOfRequestsThatBlockDelayNoListenerOfAnotherClass() throws Exception {
		CountDownLatch over = new CountDownLatch(1);
		Set<LockKey> heard = ConcurrentHashMap.newKeySet();
		try (LockClient client = builder().build()) {
			for (int i = 0; i < 40; i++) {
				client.acquire(LockRequest.of("blocked" + i).listener(new Blocking(over)));
			}
			HeldLock lock = client.acquire(LockRequest.of("k").listener(new Hearing(heard)));
			await().atMost(LONG).until(() -> heard.contains(lock.key()));
			over.countDown();
		}
	}

	private static CompletableFuture<?>[] acquireAsync(LockClient client, int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> client.acquireAsync(LockRequest.of("k" + i).waitTime(LONG), Runnable::run))
			.toArray(CompletableFuture<?>[]::new);
	}

	private LockClientBuilder builder() {
		return LockClient.builder(this.dynamoDb).tableName(this.table.tableName()).threadFactory((task) -> {
			Thread thread = new Thread(() -> {
				this.mostThreads.accumulateAndGet(this.threads.incrementAndGet(), Math::max);
				try {
					task.run();
				}
				finally {
					this.threads.decrementAndGet();
				}
			});
			thread.setDaemon(true);
			return thread;
		});
	}

	private record Blocking(CountDownLatch over) implements LockListener {

		@Override
		public void onAcquired(HeldLock lock) {
			try {
				this.over.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	private record Hearing(Set<LockKey> heard) implements LockListener {

		@Override
		public void onAcquired(HeldLock lock) {
			this.heard.add(lock.key());
		}

	}

}
