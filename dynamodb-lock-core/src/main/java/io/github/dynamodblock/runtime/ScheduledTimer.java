/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A timer on a thread of its own.
 */
final class ScheduledTimer implements Timer {

	private static final Logger logger = LoggerFactory.getLogger(ScheduledTimer.class);

	private static final long RETRY_MILLIS = 100;

	private final ScheduledThreadPoolExecutor executor;

	ScheduledTimer(ScheduledThreadPoolExecutor executor) {
		this.executor = executor;
	}

	@Override
	public Task schedule(long delayNanos, Runnable task) {
		try {
			Future<?> future = this.executor.schedule(() -> run(task), delayNanos, TimeUnit.NANOSECONDS);
			return () -> future.cancel(false);
		}
		catch (RejectedExecutionException ex) {
			// The client is closed: nothing is to happen later.
			return () -> {
			};
		}
		catch (Throwable ex) {
			// No thread could be made; the task waits in the queue for one that can.
			logger.error("A timer of the lock client has no thread yet, and is late", ex);
			startLater();
			return () -> {
			};
		}
	}

	/** Nobody need schedule anything more, so the thread must not wait for that. */
	private void startLater() {
		CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS, Runnable::run).execute(() -> {
			try {
				this.executor.prestartCoreThread();
			}
			catch (Throwable ex) {
				startLater();
			}
		});
	}

	ScheduledThreadPoolExecutor executor() {
		return this.executor;
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			logger.error("A task of the lock client failed unexpectedly: please report this", ex);
		}
	}

}
