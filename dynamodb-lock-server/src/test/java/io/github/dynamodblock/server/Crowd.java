/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Several callers that begin at the same moment.
 */
public final class Crowd {

	private static final long PATIENCE_SECONDS = 60;

	private Crowd() {
	}

	/**
	 * Lets each of them do something.
	 * @param <T> what comes of it
	 * @param size how many they are
	 * @param action what the one with the number does
	 * @return what came of it, by number
	 * @throws Exception if one of them failed
	 */
	public static <T> List<T> of(int size, IntFunction<T> action) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(size);
		try {
			CyclicBarrier start = new CyclicBarrier(size);
			List<Future<T>> results = new ArrayList<>();
			for (int number = 0; number < size; number++) {
				int mine = number;
				results.add(threads.submit(() -> {
					start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
					return action.apply(mine);
				}));
			}
			return results(results);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static <T> List<T> results(List<Future<T>> futures) throws Exception {
		List<T> results = new ArrayList<>();
		for (Future<T> future : futures) {
			try {
				results.add(future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException("One of the crowd failed", ex.getCause());
			}
		}
		return results;
	}

}
