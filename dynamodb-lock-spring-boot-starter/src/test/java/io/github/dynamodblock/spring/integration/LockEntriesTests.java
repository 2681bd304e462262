/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;

import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.dao.CannotAcquireLockException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which keys a registry remembers, and that forgetting one changes nothing about locks.
 */
@ExtendWith(DynamoDbExtension.class)
@SuppressWarnings("LockNotBeforeTry") // to lock and to unlock are what is tested
class LockEntriesTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private RegistryNode node;

	@BeforeEach
	void start(EmbeddedDynamoDb dynamoDb) {
		this.node = RegistryNode.of(dynamoDb);
	}

	@AfterEach
	void stop() {
		this.node.close();
	}

	@Test
	void aRegistryRemembersNoMoreKeysThanItsCapacity() throws Exception {
		DynamoDbLockRegistry registry = registry(179);
		ExecutorService threads = Executors.newFixedThreadPool(4);
		AtomicInteger locked = new AtomicInteger();
		try {
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < 500; i++) {
				String key = "k" + i;
				all.add(threads.submit(() -> {
					Lock lock = registry.obtain(key);
					lock.lock();
					locked.incrementAndGet();
					lock.unlock();
				}));
			}
			for (Future<?> each : all) {
				each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(locked).hasValue(500);
		assertThat(registry.size()).isEqualTo(179);
		registry.expireUnusedOlderThan(-1000);
		assertThat(registry.size()).isZero();
		assertThat(this.node.client().list()).isEmpty();
	}

	@Test
	void theKeyThatWasNotUsedForLongestIsForgottenForANewOne() {
		DynamoDbLockRegistry registry = registry(3);
		Lock first = registry.obtain("1");
		Lock second = registry.obtain("2");
		Lock third = registry.obtain("3");
		registry.obtain("1");
		third.lock();
		third.unlock();
		registry.obtain("4");
		assertThat(registry.size()).isEqualTo(3);
		assertThat(registry.obtain("1")).isSameAs(first);
		assertThat(registry.obtain("3")).isSameAs(third);
		assertThat(registry.obtain("2")).isNotSameAs(second);
	}

	@Test
	void aHeldLockIsNotForgotten() throws Exception {
		DynamoDbLockRegistry registry = registry(2);
		Lock held = registry.obtain("held");
		held.lock();
		registry.obtain("2");
		registry.obtain("3");
		registry.expireUnusedOlderThan(0);
		assertThat(registry.size()).isOne();
		assertThat(registry.obtain("held")).isSameAs(held);
		try (Worker worker = new Worker()) {
			assertThat(worker.call(() -> registry.obtain("held").tryLock())).isFalse();
		}
		assertThat(held.tryLock()).isTrue();
		held.unlock();
		held.unlock();
		assertThat(this.node.hasRow("held")).isFalse();
	}

	@Test
	void aLockThatAThreadWaitsForIsNotForgotten() throws Exception {
		DynamoDbLockRegistry registry = registry(1);
		try (RegistryNode other = this.node.other(RegistryNode.LONG_LEASE); Worker worker = new Worker()) {
			other.lock("k").lock();
			Lock lock = registry.obtain("k");
			CompletableFuture<Boolean> waiting = worker.run(lock::lock);
			worker.awaitWaiting();
			registry.expireUnusedOlderThan(0);
			assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(() -> registry.obtain("l"));
			assertThat(registry.obtain("k")).isSameAs(lock);
			other.lock("k").unlock();
			assertThat(waiting).succeedsWithin(LIMIT);
			registry.expireUnusedOlderThan(0);
			assertThat(registry.obtain("k").tryLock()).isFalse();
			assertThat(worker.run(lock::unlock)).succeedsWithin(LIMIT);
		}
		registry.expireUnusedOlderThan(0);
		assertThat(registry.size()).isZero();
	}

	@Test
	void aRegistryFullOfHeldLocksRefusesANewKey() {
		DynamoDbLockRegistry registry = registry(2);
		Lock stale = registry.obtain("stale");
		Lock first = registry.obtain("1");
		first.lock();
		Lock second = registry.obtain("2");
		second.lock();
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(() -> registry.obtain("3"))
			.withMessageContaining("registry:3")
			.withMessageContaining("2 locks")
			.withMessageContaining("capacity");
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(stale::lock);
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(stale::tryLock);
		second.unlock();
		registry.obtain("3");
		stale.lock();
		stale.unlock();
		first.unlock();
	}

	@Test
	void aForgottenLockEntersTheRegistryAgain() throws Exception {
		DynamoDbLockRegistry registry = registry(1);
		Lock lock = registry.obtain("k");
		registry.obtain("l");
		assertThat(lock.tryLock()).isTrue();
		assertThat(registry.obtain("k")).isSameAs(lock);
		assertThat(registry.heldLock("k")).isPresent();
		registry.renewLock("k");
		try (Worker worker = new Worker()) {
			assertThat(worker.call(() -> registry.obtain("k").tryLock())).isFalse();
		}
		lock.unlock();
		registry.expireUnusedOlderThan(0);
		assertThat(lock.tryLock()).isTrue();
		lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void twoLockObjectsOfAKeyAreOneLock() throws Exception {
		DynamoDbLockRegistry registry = this.node.registry();
		Lock old = registry.obtain("k");
		registry.expireUnusedOlderThan(0);
		Lock young = registry.obtain("k");
		assertThat(young).isNotSameAs(old);
		old.lock();
		this.node.calls().clear();
		try (Worker worker = new Worker()) {
			assertThat(worker.call(young::tryLock)).isFalse();
			CompletableFuture<Boolean> waiting = worker.run(young::lock);
			worker.awaitWaiting();
			assertThat(this.node.calls().all()).isEmpty();
			assertThat(young.tryLock()).isTrue();
			old.unlock();
			young.unlock();
			assertThat(waiting).succeedsWithin(LIMIT);
			assertThat(worker.run(old::unlock)).succeedsWithin(LIMIT);
		}
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void onlyLocksThatWereNotUsedForTheAgeAreForgotten() {
		AtomicLong nanoClock = new AtomicLong(Long.MAX_VALUE - 1000);
		DynamoDbLockRegistry registry = this.node.registry((builder) -> builder.nanoClock(nanoClock::get));
		Lock unused = registry.obtain("unused");
		Lock locked = registry.obtain("locked");
		nanoClock.addAndGet(TimeUnit.SECONDS.toNanos(5));
		Lock obtained = registry.obtain("obtained");
		assertThat(locked.tryLock()).isTrue();
		locked.unlock();
		nanoClock.addAndGet(TimeUnit.SECONDS.toNanos(3));
		registry.expireUnusedOlderThan(8_001);
		assertThat(registry.size()).isEqualTo(3);
		registry.expireUnusedOlderThan(8_000);
		assertThat(registry.size()).isEqualTo(2);
		assertThat(registry.obtain("locked")).isSameAs(locked);
		assertThat(registry.obtain("obtained")).isSameAs(obtained);
		assertThat(registry.obtain("unused")).isNotSameAs(unused);
	}

	@Test
	void anEndlessAgeForgetsNothingAndNoneForgetsAll() {
		DynamoDbLockRegistry registry = this.node.registry();
		Lock lock = registry.obtain("k");
		for (long age : new long[] { TimeUnit.HOURS.toMillis(1), Long.MAX_VALUE }) {
			registry.expireUnusedOlderThan(age);
			assertThat(registry.obtain("k")).isSameAs(lock);
		}
		for (long age : new long[] { 0, -1, -10_000, Long.MIN_VALUE }) {
			registry.obtain("k");
			registry.expireUnusedOlderThan(age);
			assertThat(registry.size()).isZero();
		}
	}

	@Test
	void forgettingAKeyCostsNoCall() {
		this.node.lock("k").lock();
		this.node.lock("k").unlock();
		this.node.calls().clear();
		this.node.registry().expireUnusedOlderThan(0);
		assertThat(this.node.calls().all()).isEmpty();
	}

	@Test
	void forgettingAndLockingAtOnceLetsNoTwoThreadsIn() throws Exception {
		DynamoDbLockRegistry registry = registry(2);
		ExecutorService threads = Executors.newFixedThreadPool(3);
		AtomicInteger inside = new AtomicInteger();
		try {
			for (int i = 0; i < 200; i++) {
				String key = "k" + i % 3;
				CountDownLatch start = new CountDownLatch(1);
				List<Future<?>> all = new ArrayList<>();
				for (int each = 0; each < 2; each++) {
					all.add(threads.submit(() -> {
						start.await();
						registry.expireUnusedOlderThan(0);
						Lock lock = registry.obtain(key);
						registry.expireUnusedOlderThan(0);
						lock.lock();
						assertThat(inside.incrementAndGet()).isOne();
						assertThat(registry.obtain(key).tryLock()).isTrue();
						lock.unlock();
						inside.decrementAndGet();
						lock.unlock();
						return null;
					}));
				}
				all.add(threads.submit(() -> {
					start.await();
					registry.expireUnusedOlderThan(-1);
					return null;
				}));
				start.countDown();
				for (Future<?> each : all) {
					each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
				}
			}
		}
		finally {
			threads.shutdownNow();
		}
		registry.expireUnusedOlderThan(0);
		assertThat(registry.size()).isZero();
		assertThat(this.node.client().list()).isEmpty();
	}

	private DynamoDbLockRegistry registry(int capacity) {
		return this.node.registry((builder) -> builder.capacity(capacity));
	}

}
