/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The clock by which a table is polled.
 */
interface PollClock {

	/** This machine's clock. */
	PollClock SYSTEM = new PollClock() {

		@Override
		public Instant timeOfDay() {
			return Instant.now();
		}

		@Override
		public long nanos() {
			return System.nanoTime();
		}

		@Override
		public void pause(long nanos) throws InterruptedException {
			// The latch is never opened: only an interrupt ends the pause early.
			new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
		}

	};

	/**
	 * Returns the time of day.
	 * @return the time
	 */
	Instant timeOfDay();

	/**
	 * Returns the monotonic time.
	 * @return nanoseconds from an arbitrary origin
	 */
	long nanos();

	/**
	 * Waits.
	 * @param nanos how long
	 * @throws InterruptedException if the thread is interrupted
	 */
	void pause(long nanos) throws InterruptedException;

}
