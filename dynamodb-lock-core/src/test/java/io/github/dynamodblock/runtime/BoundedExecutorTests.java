/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.runtime.shared.BoundedExecutor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class BoundedExecutorTests {

	private final Queue<Runnable> threads = new ArrayDeque<>();

	private final List<String> ran = new ArrayList<>();

	@Test
	void tasksBeyondTheBoundWaitAndRunFirstInFirstOut() {
		BoundedExecutor executor = new BoundedExecutor(this.threads::add, 2);
		for (String task : List.of("a", "b", "c", "d")) {
			executor.execute(() -> this.ran.add(task));
		}
		assertThat(this.threads).hasSize(2);
		this.threads.remove().run();
		assertThat(this.ran).containsExactly("a", "b", "c", "d");
		this.threads.remove().run();
		executor.execute(() -> this.ran.add("e"));
		this.threads.remove().run();
		assertThat(this.ran).containsExactly("a", "b", "c", "d", "e");
	}

	@Test
	void tasksThatBlockHaveSomeThreadsAndTheOthersWait() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		AtomicInteger ended = new AtomicInteger();
		ExecutorService pool = Executors.newCachedThreadPool();
		try {
			BoundedExecutor executor = new BoundedExecutor(pool, 8);
			for (int i = 0; i < 100; i++) {
				executor.execute(() -> {
					most.accumulateAndGet(running.incrementAndGet(), Math::max);
					awaitUninterruptibly(end);
					running.decrementAndGet();
					ended.incrementAndGet();
				});
			}
			await().until(() -> running.get() == 8);
			end.countDown();
			await().until(() -> ended.get() == 100);
			assertThat(most).hasValue(8);
		}
		finally {
			end.countDown();
			pool.shutdownNow();
		}
	}

	@Test
	void aRefusedTaskIsReportedToItsSenderAndTakesNoPlace() {
		AtomicInteger refusals = new AtomicInteger(1);
		BoundedExecutor executor = new BoundedExecutor((task) -> {
			if (refusals.getAndDecrement() > 0) {
				throw new RejectedExecutionException("full");
			}
			task.run();
		}, 1);
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> executor.execute(() -> this.ran.add("refused")));
		executor.execute(() -> this.ran.add("accepted"));
		assertThat(this.ran).containsExactly("accepted");
	}

	@Test
	void aTaskThatCameWhileAnotherOneWasRefusedIsRun() {
		AtomicInteger refusals = new AtomicInteger(1);
		List<BoundedExecutor> same = new ArrayList<>();
		BoundedExecutor executor = new BoundedExecutor((task) -> {
			if (refusals.getAndDecrement() > 0) {
				same.get(0).execute(() -> this.ran.add("meanwhile"));
				throw new RejectedExecutionException("full");
			}
			task.run();
		}, 1);
		same.add(executor);
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> executor.execute(() -> this.ran.add("refused")));
		assertThat(this.ran).containsExactly("meanwhile");
	}

	@Test
	void aTaskThatFailsStopsNoTaskAfterIt() {
		BoundedExecutor executor = new BoundedExecutor(this.threads::add, 1);
		executor.execute(() -> {
			throw new IllegalStateException("thrown by the test");
		});
		executor.execute(() -> this.ran.add("next"));
		Thread thread = Thread.currentThread();
		Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
		thread.setUncaughtExceptionHandler((failed, problem) -> this.ran.add("thrown by the test"));
		try {
			this.threads.remove().run();
		}
		finally {
			thread.setUncaughtExceptionHandler(before);
		}
		assertThat(this.ran).containsExactly("thrown by the test", "next");
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
