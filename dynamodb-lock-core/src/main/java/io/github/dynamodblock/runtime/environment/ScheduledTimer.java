/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A timer on an executor of one thread. A task for which no thread can be created is
 * late, and not lost.
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
		Entry entry = new Entry(task);
		try {
			entry.future = this.executor.schedule(entry, delayNanos, TimeUnit.NANOSECONDS);
		}
		catch (Throwable ex) {
			// The task is queued, but perhaps no later one will start a thread.
			logger.error("Could not start the timer thread of the lock client; timers are delayed", ex);
			startLater();
		}
		return entry;
	}

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

	private static final class Entry implements Task, Callable<@Nullable Void> {

		private final Runnable task;

		private volatile boolean cancelled;

		/** Takes the task out of the queue; missing if it has no thread yet. */
		private volatile @Nullable Future<?> future;

		Entry(Runnable task) {
			this.task = task;
		}

		@Override
		public @Nullable Void call() {
			try {
				if (!this.cancelled) {
					this.task.run();
				}
			}
			catch (Throwable ex) {
				logger.error("A task of the lock client failed unexpectedly: please report this", ex);
			}
			return null;
		}

		@Override
		public void cancel() {
			this.cancelled = true;
			Future<?> queued = this.future;
			if (queued != null) {
				queued.cancel(false);
			}
		}

	}

}
