/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Work in threads of its own. A parallel stream would do it in the pool that tests run
 * in, where it waits for them and they for it.
 */
public final class Parallel {

	private static final int THREADS = 8;

	private Parallel() {
	}

	/** Returns when all is done, and throws what one of them threw. */
	public static void forEach(int count, IntConsumer work) {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			CompletableFuture
				.allOf(IntStream.range(0, count)
					.mapToObj((each) -> CompletableFuture.runAsync(() -> work.accept(each), threads))
					.toArray(CompletableFuture[]::new))
				.join();
		}
		finally {
			threads.shutdownNow();
		}
	}

}
