/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import static org.awaitility.Awaitility.await;

/**
 * A thread of its own, which does one thing after the other.
 */
final class Worker implements AutoCloseable {

	private final AtomicReference<Thread> thread = new AtomicReference<>();

	private final ExecutorService executor = Executors.newSingleThreadExecutor((task) -> {
		Thread thread = new Thread(task, "worker");
		thread.setDaemon(true);
		this.thread.set(thread);
		return thread;
	});

	/** Returns when the thread has begun with it. */
	<T> CompletableFuture<T> begin(Callable<T> action) throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<T> result = new CompletableFuture<>();
		this.executor.execute(() -> {
			begun.countDown();
			try {
				result.complete(action.call());
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
			// The next task is not to inherit it.
			Thread.interrupted();
		});
		begun.await();
		return result;
	}

	/** Does something that gives nothing. */
	CompletableFuture<Boolean> run(Action action) throws InterruptedException {
		return begin(() -> {
			action.run();
			return true;
		});
	}

	/** Returns what the thread was told. */
	boolean call(Callable<Boolean> action) throws InterruptedException, ExecutionException, TimeoutException {
		return begin(action).get(30, TimeUnit.SECONDS);
	}

	/** Returns when the thread waits for something. */
	void awaitWaiting() {
		await().until(() -> switch (thread().getState()) {
			case WAITING, TIMED_WAITING -> true;
			default -> false;
		});
	}

	void interrupt() {
		thread().interrupt();
	}

	private Thread thread() {
		return Objects.requireNonNull(this.thread.get());
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	/**
	 * Something that may fail.
	 */
	@FunctionalInterface
	interface Action {

		void run() throws Exception;

	}

}
