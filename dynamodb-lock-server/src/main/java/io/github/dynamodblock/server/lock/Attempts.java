/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Repeats an attempt that another call overtook.
 */
final class Attempts {

	/** The same as the time limit of a call to DynamoDB. */
	private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

	private static final long SHORTEST_PAUSE_MILLIS = 5;

	private static final long LONGEST_PAUSE_MILLIS = 200;

	private Attempts() {
	}

	/**
	 * Makes attempts until one succeeds.
	 * @param attempt throws {@link OvertakenException} if another call overtook it
	 * @return its result
	 * @throws OvertakenException if all attempts were overtaken for some seconds
	 */
	static <T> T until(Attempt<T> attempt) throws InterruptedException {
		long begun = System.nanoTime();
		for (long longestPause = 2 * SHORTEST_PAUSE_MILLIS;; longestPause = Math.min(2 * longestPause,
				LONGEST_PAUSE_MILLIS)) {
			try {
				return attempt.make();
			}
			catch (OvertakenException ex) {
				if (System.nanoTime() - begun >= PATIENCE_NANOS) {
					throw ex;
				}
			}
			Thread.sleep(ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_MILLIS, longestPause));
		}
	}

	/**
	 * An attempt.
	 *
	 * @param <T> the result
	 */
	@FunctionalInterface
	interface Attempt<T> {

		T make() throws InterruptedException;

	}

}
