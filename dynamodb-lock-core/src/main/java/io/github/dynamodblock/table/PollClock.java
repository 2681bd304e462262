/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Time, for looking at a table again and again.
 */
interface PollClock {

	/** The time of this machine. */
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
			// Nobody opens this latch: a pause that only an interrupt ends early.
			new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
		}

	};

	/**
	 * The time of day.
	 * @return the time
	 */
	Instant timeOfDay();

	/**
	 * The time that pauses are counted in.
	 * @return nanoseconds from an arbitrary origin
	 */
	long nanos();

	/**
	 * Lets time pass.
	 * @param nanos how much
	 * @throws InterruptedException if the thread is interrupted
	 */
	void pause(long nanos) throws InterruptedException;

}
