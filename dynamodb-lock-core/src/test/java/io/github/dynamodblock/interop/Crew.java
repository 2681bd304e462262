/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that do the same thing at the same time, several for each client. One thread
 * starts and joins them.
 */
final class Crew implements AutoCloseable {

	/** How many threads use one client. */
	static final int THREADS_OF_A_CLIENT = 3;

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final BlockingQueue<Future<Object>> ended = new LinkedBlockingQueue<>();

	private final CompletionService<Object> completion = new ExecutorCompletionService<>(this.executor, this.ended);

	private int started;

	/** Lets the threads of one client do this. */
	void start(Callable<Object> task) {
		for (int i = 0; i < THREADS_OF_A_CLIENT; i++) {
			this.completion.submit(task);
			this.started++;
		}
	}

	/** Whether some thread has come to its end, in whatever way. */
	boolean hasEnded() {
		return !this.ended.isEmpty();
	}

	/** Waits until all are done; fails as soon as one of them has failed. */
	void join() throws InterruptedException, ExecutionException {
		for (; this.started > 0; this.started--) {
			Future<Object> task = this.ended.poll(Contender.PATIENCE.plusMinutes(1).toSeconds(), TimeUnit.SECONDS);
			assertThat(task).as("a thread's end").isNotNull();
			task.get();
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
