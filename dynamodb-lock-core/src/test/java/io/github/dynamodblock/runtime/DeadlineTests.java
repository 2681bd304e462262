/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import com.sun.management.ThreadMXBean;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.runtime.environment.ThreadedEnvironment;
import io.github.dynamodblock.runtime.shared.WaitQueue;
import io.github.dynamodblock.store.SimulatedTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of waits that end at once.
 */
class DeadlineTests extends VirtualTimeTest {

	DeadlineTests() {
		super(new SimulatedTable());
	}

	@Test
	void theWorkOfATimeoutDoesNotGrowWithTheNumberOfWaiters() {
		two().acquire("k");
		bytesForEachTimeout(500);
		long few = bytesForEachTimeout(500);
		assertThat(bytesForEachTimeout(12_000)).isLessThan(2 * few);
	}

	/** What is allocated, which is the same however fast the machine is. */
	private long bytesForEachTimeout(int waiters) {
		List<CompletableFuture<HeldLock>> futures = new ArrayList<>();
		for (int i = 0; i < waiters; i++) {
			futures
				.add(one().client().acquireAsync(LockRequest.of("k").waitTime(Duration.ofMillis(200)), Runnable::run));
		}
		time().pass(Duration.ofMillis(100));
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		time().pass(Duration.ofSeconds(1));
		long allocated = threads.getCurrentThreadAllocatedBytes() - before;
		assertThat(futures).allMatch(CompletableFuture::isCompletedExceptionally);
		assertThat(futures.get(waiters - 1).handle((lock, problem) -> problem).join())
			.isInstanceOfSatisfying(LockNotGrantedException.class, (denied) -> assertThat(denied.record()).isPresent());
		return allocated / waiters;
	}

	@Test
	void leavingTheLineLooksAtNoOtherWaiter() {
		WaitQueue queue = new WaitQueue();
		LockKey line = LockKey.of("k");
		queue.enter(line, (key) -> {
		});
		List<CountedWaiter> waiters = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			waiters.add(new CountedWaiter());
			queue.enter(line, waiters.get(i));
		}
		for (int i = waiters.size() - 1; i >= 0; i--) {
			assertThat(queue.withdraw(line, waiters.get(i))).isTrue();
		}
		assertThat(waiters.stream().mapToInt((waiter) -> waiter.comparisons).sum()).isLessThan(1000);
	}

	@Test
	void aCallbackThatBlocksTheTimerOfWaitsDelaysNoHeartbeatAndNoLoss() throws Exception {
		ThreadedEnvironment environment = new ThreadedEnvironment(new SimulatedTable(), null, null);
		CountDownLatch blocked = new CountDownLatch(1);
		CountDownLatch rung = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		try {
			environment.waits().schedule(0, () -> {
				blocked.countDown();
				awaitQuietly(end);
			});
			blocked.await();
			environment.watch().schedule(0, rung::countDown);
			rung.await();
		}
		finally {
			end.countDown();
			environment.close(Duration.ofSeconds(10), () -> {
			});
		}
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Counts how often it is compared.
	 */
	private static final class CountedWaiter implements WaitQueue.Waiter {

		private int comparisons;

		@Override
		public void onTurn(LockKey key) {
			throw new IllegalStateException("the first keeps the turn");
		}

		@Override
		public boolean equals(Object other) {
			this.comparisons++;
			return this == other;
		}

		@Override
		public int hashCode() {
			return System.identityHashCode(this);
		}

	}

}
