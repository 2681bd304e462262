/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.Arrays;
import java.util.Objects;

/**
 * Counts the lock client's threads from time to time.
 */
final class LockThreadCount implements AutoCloseable {

	private static final long PERIOD_MILLIS = 20;

	private static final String PREFIX = "dynamodb-lock-";

	private final Thread sampler = new Thread(this::sample, "lock-thread-count");

	private volatile int peak;

	private LockThreadCount() {
	}

	static LockThreadCount start() {
		LockThreadCount count = new LockThreadCount();
		count.sampler.setDaemon(true);
		count.sampler.start();
		return count;
	}

	/** The most that were seen at one time. */
	int peak() {
		return this.peak;
	}

	private void sample() {
		try {
			while (true) {
				this.peak = Math.max(this.peak, count());
				Thread.sleep(PERIOD_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			// The end of the measurement.
		}
	}

	private static int count() {
		// Room for threads that begin meanwhile.
		Thread[] threads = new Thread[2 * Thread.activeCount() + 100];
		Thread.enumerate(threads);
		return (int) Arrays.stream(threads)
			.filter(Objects::nonNull)
			.filter((thread) -> thread.getName().startsWith(PREFIX))
			.count();
	}

	@Override
	public void close() {
		this.sampler.interrupt();
	}

}
