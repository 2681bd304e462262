/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Threads that work side by side.
 */
final class Workers {

	private Workers() {
	}

	/**
	 * Runs some workers, each on a thread of its own, until all have finished. The first
	 * failure ends all.
	 * @param count how many
	 * @param worker what each does, given its number from zero on
	 * @throws InterruptedException if this thread is interrupted
	 * @throws IllegalStateException if a worker fails
	 */
	static void run(int count, Worker worker) throws InterruptedException {
		List<Callable<Void>> tasks = IntStream.range(0, count).mapToObj((number) -> (Callable<Void>) () -> {
			worker.work(number);
			return null;
		}).toList();
		run(count, tasks);
	}

	/**
	 * Runs tasks on some threads until all have finished. The first failure ends all.
	 * @param threads how many threads
	 * @param tasks what to do, begun in this order
	 * @throws InterruptedException if this thread is interrupted
	 * @throws IllegalStateException if a task fails
	 */
	static void run(int threads, List<Callable<Void>> tasks) throws InterruptedException {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			ExecutorCompletionService<Void> finished = new ExecutorCompletionService<>(executor);
			tasks.forEach(finished::submit);
			for (int i = 0; i < tasks.size(); i++) {
				finished.take().get();
			}
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A worker failed: " + ex.getCause(), ex.getCause());
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * What one of several threads does.
	 */
	interface Worker {

		void work(int number) throws InterruptedException;

	}

}
