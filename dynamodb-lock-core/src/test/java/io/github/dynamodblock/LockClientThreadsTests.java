/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The threads of a client, and many threads that contend for one lock.
 */
@Order(1)
class LockClientThreadsTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private final Threads threads = new Threads();

	@Test
	void buildingAClientStartsNoThread() {
		client().close();
		assertThat(this.threads.made).isEmpty();
	}

	@Test
	void afterCloseNoThreadOfTheClientIsAlive() throws Exception {
		LockClient client = client();
		client.acquire("held");
		client.acquire(LockRequest.of("kept").holdAtLeast(Duration.ofMinutes(1))).release();
		client.acquire("released").release();
		client.tryAcquire("held");
		assertThat(this.threads.alive()).isNotEmpty();
		client.close();
		// A pool's thread tells the pool that it has ended a moment before it has.
		await().atMost(Duration.ofSeconds(1)).until(() -> this.threads.alive().isEmpty());
	}

	@Test
	void aReleaseARefusalAndATimeHeldAtLeastLeaveNoThreadBehind() throws Exception {
		// The background read after a refusal waits for a lease.
		Duration lease = Duration.ofSeconds(4);
		try (LockClient client = builder().leaseDuration(lease).build();
				LockClient other = builder().leaseDuration(lease).build()) {
			HeldLock held = other.acquire("k");
			assertThat(client.tryAcquire("k")).isEmpty();
			assertThat(client.tryAcquire(LockRequest.of("k").waitTime(Duration.ofMillis(100)))).isEmpty();
			held.release();
			HeldLock kept = client.acquire(LockRequest.of("k").holdAtLeast(Duration.ofSeconds(2)));
			assertThat(kept.release()).isEqualTo(ReleaseOutcome.KEPT);
			await().atMost(Duration.ofSeconds(30)).until(() -> this.threads.alive().isEmpty());
			assertThat(other.find("k").orElseThrow().isReleased()).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	@Timeout(20)
	void aLockIsReportedAndKeptAlthoughNoThreadCouldBeCreatedForATimerAtFirst(int missing) throws Exception {
		AtomicInteger asked = new AtomicInteger();
		try (LockClient client = LockClient.builder(TestDynamoDb.client())
			.tableName(this.table.tableName())
			.leaseDuration(Duration.ofSeconds(2))
			.threadFactory((task) -> {
				if (asked.incrementAndGet() == missing) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				return this.threads.newThread(task);
			})
			.build()) {
			HeldLock lock = client.acquire("k");
			String granted = lock.record().recordVersionNumber();
			await().until(() -> !lock.record().recordVersionNumber().equals(granted));
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
		}
	}

	@Test
	void manyThreadsOfManyClientsNeverHoldOneLockAtTheSameTime() throws Exception {
		AtomicInteger holders = new AtomicInteger();
		AtomicInteger overlaps = new AtomicInteger();
		AtomicLong lastToken = new AtomicLong();
		AtomicInteger tokensNotGrowing = new AtomicInteger();
		List<LockClient> clients = Stream.generate(() -> builder().pollInterval(Duration.ofMillis(10)).build())
			.limit(3)
			.toList();
		ExecutorService executor = Executors.newCachedThreadPool();
		try {
			List<Future<?>> workers = new ArrayList<>();
			for (LockClient client : clients) {
				for (int thread = 0; thread < 4; thread++) {
					workers.add(executor.submit(() -> {
						for (int i = 0; i < 15; i++) {
							try (HeldLock lock = client
								.acquire(LockRequest.of("shared").waitTime(Duration.ofMinutes(1)))) {
								overlaps.addAndGet(holders.getAndIncrement());
								if (lastToken.getAndSet(lock.fencingToken()) >= lock.fencingToken()) {
									tokensNotGrowing.incrementAndGet();
								}
								holders.decrementAndGet();
							}
						}
						return null;
					}));
				}
			}
			for (Future<?> worker : workers) {
				worker.get();
			}
		}
		finally {
			executor.shutdownNow();
			clients.forEach(LockClient::close);
		}
		assertThat(overlaps).hasValue(0);
		assertThat(tokensNotGrowing).hasValue(0);
	}

	@Test
	void hundredsOfHeldLocksAreKeptByFewThreads() throws Exception {
		try (LockClient client = builder().heartbeatPeriod(Duration.ofSeconds(2)).build()) {
			List<HeldLock> locks = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				locks.add(client.acquire("k" + i));
			}
			List<String> versions = versions(locks);
			await().atMost(Duration.ofSeconds(60)).until(() -> haveNothingInCommon(versions, versions(locks)));
			assertThat(locks).allMatch(HeldLock::isHeld);
			assertThat(this.threads.alive()).hasSizeLessThanOrEqualTo(40);
		}
	}

	private static List<String> versions(List<HeldLock> locks) {
		return locks.stream().map((lock) -> lock.record().recordVersionNumber()).toList();
	}

	private static boolean haveNothingInCommon(List<String> before, List<String> after) {
		return Collections.disjoint(new HashSet<>(before), after);
	}

	private LockClient client() {
		return builder().build();
	}

	private LockClientBuilder builder() {
		return LockClient.builder(TestDynamoDb.client()).tableName(this.table.tableName()).threadFactory(this.threads);
	}

	/**
	 * Remembers the threads it made.
	 */
	private static final class Threads implements ThreadFactory {

		private final ConcurrentLinkedQueue<Thread> made = new ConcurrentLinkedQueue<>();

		@Override
		public Thread newThread(Runnable task) {
			Thread thread = new Thread(task, "test-" + this.made.size());
			thread.setDaemon(true);
			this.made.add(thread);
			return thread;
		}

		private List<Thread> alive() {
			return this.made.stream().filter(Thread::isAlive).toList();
		}

	}

}
