/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;

import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Several threads, registries and nodes that want one lock.
 */
@Order(1)
@ExtendWith(DynamoDbExtension.class)
@SuppressWarnings("LockNotBeforeTry") // to lock and to unlock are what is tested
class LockContentionTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private RegistryNode node;

	private RegistryNode other;

	@BeforeEach
	void start(EmbeddedDynamoDb dynamoDb) {
		this.node = RegistryNode.of(dynamoDb);
		this.other = this.node.other(RegistryNode.LONG_LEASE);
	}

	@AfterEach
	void stop() {
		this.other.close();
		this.node.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void ofTwoRegistriesTheSecondGetsTheLockWhenTheFirstUnlocks(boolean sameClient) throws Exception {
		Lock second = secondRegistry(sameClient).obtain("k");
		for (int i = 0; i < 10; i++) {
			this.node.lock("k").lockInterruptibly();
			try (Worker worker = new Worker()) {
				assertThat(worker.call(second::tryLock)).isFalse();
				CompletableFuture<Boolean> waiting = worker.run(second::lockInterruptibly);
				worker.awaitWaiting();
				assertThat(waiting).isNotDone();
				this.node.lock("k").unlock();
				assertThat(waiting).succeedsWithin(LIMIT);
				assertThat(this.node.lock("k").tryLock()).isFalse();
				assertThat(worker.run(second::unlock)).succeedsWithin(LIMIT);
			}
		}
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void twoRegistriesThatLockInALoopAreNeverBothInside(boolean sameClient) throws Exception {
		AtomicInteger inside = new AtomicInteger();
		List<Callable<Boolean>> loops = new ArrayList<>();
		for (DynamoDbLockRegistry registry : List.of(this.node.registry(), secondRegistry(sameClient))) {
			loops.add(() -> {
				for (int i = 0; i < 30; i++) {
					registry.executeLocked("k", () -> {
						assertThat(inside.incrementAndGet()).isOne();
						assertThat(registry.obtain("k").tryLock()).isTrue();
						registry.obtain("k").unlock();
						inside.decrementAndGet();
					});
				}
				return true;
			});
		}
		assertThat(all(loops)).containsOnly(true);
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void ofTwentyRegistriesExactlyOneWinsHoweverOftenTheyTry() throws Exception {
		List<DynamoDbLockRegistry> registries = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			registries.add(this.node.newRegistry());
			registries.add(this.other.newRegistry());
		}
		ExecutorService threads = Executors.newFixedThreadPool(20);
		try {
			for (int round = 0; round < 100; round++) {
				String key = "k" + round;
				CountDownLatch tried = new CountDownLatch(20);
				List<Callable<Boolean>> attempts = new ArrayList<>();
				for (DynamoDbLockRegistry registry : registries) {
					attempts.add(() -> {
						Lock lock = registry.obtain(key);
						boolean won = lock.tryLock();
						tried.countDown();
						if (won) {
							tried.await();
							lock.unlock();
						}
						return won;
					});
				}
				assertThat(results(threads, attempts)).containsOnlyOnce(true);
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.node.client().list()).isEmpty();
	}

	@Test
	void twentyRegistriesThatWaitForEverAllGetTheLockInTurn() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger served = new AtomicInteger();
		List<Callable<Boolean>> all = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			DynamoDbLockRegistry registry = secondRegistry(i % 2 == 0);
			all.add(() -> {
				Lock lock = registry.obtain("k");
				assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.MILLISECONDS)).isTrue();
				boolean alone = inside.incrementAndGet() == 1;
				served.incrementAndGet();
				inside.decrementAndGet();
				lock.unlock();
				return alone;
			});
		}
		assertThat(all(all)).containsOnly(true);
		assertThat(served).hasValue(20);
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void ofTwoWaitersOnlyOneIsWokenByAnUnlock() throws Exception {
		this.node.lock("k").lock();
		try (Worker first = new Worker(); Worker second = new Worker()) {
			Lock here = this.node.newRegistry().obtain("k");
			Lock there = this.other.lock("k");
			CompletableFuture<Boolean> one = first.begin(() -> here.tryLock(30, TimeUnit.SECONDS));
			CompletableFuture<Boolean> two = second.begin(() -> there.tryLock(30, TimeUnit.SECONDS));
			this.node.lock("k").unlock();
			await().until(() -> one.isDone() || two.isDone());
			boolean firstWon = one.isDone();
			assertThat(this.node.row("k").ownerName())
				.isEqualTo((firstWon ? this.node : this.other).client().ownerName());
			assertThat(firstWon ? two : one).isNotDone();
			assertThat(firstWon ? first.run(here::unlock) : second.run(there::unlock)).succeedsWithin(LIMIT);
			assertThat(firstWon ? two : one).succeedsWithin(LIMIT).isEqualTo(true);
		}
	}

	@Test
	void theWaitingThreadsOfARegistryAreServedInTheirOrder() throws Exception {
		Lock lock = this.node.lock("k");
		lock.lock();
		List<Integer> served = new ArrayList<>();
		List<Worker> workers = new ArrayList<>();
		List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
		try {
			for (int i = 0; i < 6; i++) {
				int number = i;
				Worker worker = new Worker();
				workers.add(worker);
				waiting.add(worker.run(() -> {
					lock.lock();
					served.add(number);
					lock.unlock();
				}));
				worker.awaitWaiting();
			}
			assertThat(served).isEmpty();
			lock.unlock();
			// Whoever comes now stands behind the others.
			assertThat(lock.tryLock(30, TimeUnit.SECONDS)).isTrue();
			assertThat(served).containsExactly(0, 1, 2, 3, 4, 5);
			lock.unlock();
			assertThat(waiting).allSatisfy((each) -> assertThat(each).succeedsWithin(LIMIT));
		}
		finally {
			workers.forEach(Worker::close);
		}
	}

	@Test
	void aSingleAttemptDoesNotOvertakeWaitingThreads() throws Exception {
		Lock lock = this.node.lock("k");
		try (Worker worker = new Worker()) {
			for (int i = 0; i < 10; i++) {
				lock.lock();
				CompletableFuture<Boolean> waiting = worker.run(lock::lock);
				worker.awaitWaiting();
				lock.unlock();
				assertThat(lock.tryLock()).isFalse();
				assertThat(waiting).succeedsWithin(LIMIT);
				assertThat(worker.run(lock::unlock)).succeedsWithin(LIMIT);
			}
		}
	}

	@Test
	void anAttemptThatFailsLeavesTheHoldersRowAsItIs() {
		this.node.lock("k").lock();
		String version = this.node.row("k").recordVersionNumber();
		assertThat(this.other.lock("k").tryLock()).isFalse();
		assertThat(this.node.row("k").recordVersionNumber()).isEqualTo(version);
		this.node.lock("k").unlock();
	}

	@Test
	void whoeverHasSeenTheHolderWritesNothingWhileItWaits() throws Exception {
		this.node.lock("k").lock();
		assertThat(this.other.lock("k").tryLock()).isFalse();
		this.other.calls().clear();
		for (int i = 0; i < 10; i++) {
			assertThat(this.other.lock("k").tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
		}
		assertThat(this.other.calls().all()).isNotEmpty().allMatch(GetItemRequest.class::isInstance);
		this.node.lock("k").unlock();
	}

	@Test
	void noClockDecidesWhoOwnsALock() {
		this.node.lock("k").lock();
		// As an owner writes whose clock is a year behind; or ours is ahead.
		this.node.server()
			.client()
			.updateItem((update) -> update.tableName(this.node.table())
				.key(Map.of("key", AttributeValue.fromS("registry:k")))
				.updateExpression("SET acquiredAt = :then, expiresAt = :then")
				.expressionAttributeValues(Map.of(":then", AttributeValue.fromN("1"))));
		assertThat(this.other.lock("k").tryLock()).isFalse();
		assertThat(this.other.lock("k").tryLock()).isFalse();
		this.node.registry().renewLock("k");
		this.node.lock("k").unlock();
		assertThat(this.other.lock("k").tryLock()).isTrue();
		this.other.lock("k").unlock();
	}

	private DynamoDbLockRegistry secondRegistry(boolean sameClient) {
		return (sameClient ? this.node : this.other).newRegistry();
	}

	private static List<Boolean> all(List<Callable<Boolean>> tasks) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
		try {
			return results(threads, tasks);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static List<Boolean> results(ExecutorService threads, List<Callable<Boolean>> tasks) throws Exception {
		List<Boolean> results = new ArrayList<>();
		for (Future<Boolean> each : threads.invokeAll(tasks, LIMIT.toSeconds(), TimeUnit.SECONDS)) {
			results.add(each.get());
		}
		return results;
	}

}
