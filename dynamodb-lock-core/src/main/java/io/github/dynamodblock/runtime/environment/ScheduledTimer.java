/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A timer on an executor with one thread. If no thread can be created, a task is late but
 * not lost.
 * <p>
 * Most tasks are cancelled long before their time, because a lock is released before its
 * first heartbeat. Waking the thread for each new task would cost more than the rest of
 * the timer. Tasks therefore first wait together until the last multiple of 100 ms before
 * their time. Only the first task of such a step wakes the thread. A task that is not
 * cancelled by then is scheduled for the rest of its time, so it is neither early nor
 * late.
 */
final class ScheduledTimer implements Timer {

	private static final Logger logger = LoggerFactory.getLogger(ScheduledTimer.class);

	private static final long RETRY_MILLIS = 100;

	/**
	 * Tasks wait together until a multiple of this time. A task that is due sooner is
	 * scheduled separately.
	 */
	private static final long STEP_NANOS = 100_000_000L;

	/**
	 * The longest time in one step. It bounds how long the rest of a cancelled task is
	 * kept, and how long an idle thread lives, even if leases last for days.
	 */
	private static final long LONGEST_STEP_NANOS = 50 * STEP_NANOS;

	private final ScheduledThreadPoolExecutor executor;

	/** The steps that have not ended, by the multiples at which they end. */
	private final Map<Long, Step> steps = new ConcurrentHashMap<>();

	ScheduledTimer(ScheduledThreadPoolExecutor executor) {
		this.executor = executor;
	}

	@Override
	public Task schedule(long delayNanos, Runnable task) {
		Entry entry = new Entry(task, System.nanoTime() + Math.min(delayNanos, Long.MAX_VALUE / 2));
		enqueue(entry);
		return entry;
	}

	private void enqueue(Entry entry) {
		try {
			long now = System.nanoTime();
			long left = entry.dueAt - now;
			if (left < STEP_NANOS) {
				schedule(entry, left);
			}
			else {
				enqueue(entry, Math.floorDiv(now + Math.min(left, LONGEST_STEP_NANOS), STEP_NANOS), now);
			}
		}
		catch (Throwable ex) {
			// The task is queued, but perhaps no later task will start a thread.
			logger.error("Could not start the timer thread of the lock client; timers are delayed", ex);
			startLater();
		}
	}

	private void enqueue(Entry entry, long multiple, long now) {
		Step step = this.steps.compute(multiple,
				(end, present) -> ((present != null) ? present : new Step(end)).with(entry));
		if (!step.scheduled) {
			// Another thread may schedule the step a second time while this one is paused
			// here. No thread waits for another.
			schedule(step, multiple * STEP_NANOS - now);
			step.scheduled = true;
		}
	}

	@SuppressWarnings("FutureReturnValueIgnored") // a step and an entry throw nothing
	private void schedule(Runnable due, long delayNanos) {
		this.executor.schedule(due, delayNanos, TimeUnit.NANOSECONDS);
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

	/**
	 * The tasks that wait until a multiple of {@link #STEP_NANOS}. The map adds them one
	 * at a time. Once it has removed the step, it adds none.
	 */
	private final class Step implements Runnable {

		private final long multiple;

		private final List<Entry> entries = new ArrayList<>();

		private volatile boolean scheduled;

		Step(long multiple) {
			this.multiple = multiple;
		}

		Step with(Entry entry) {
			this.entries.add(entry);
			return this;
		}

		@Override
		public void run() {
			if (ScheduledTimer.this.steps.remove(this.multiple, this)) {
				this.entries.stream().filter((entry) -> !entry.isCancelled()).forEach(ScheduledTimer.this::enqueue);
			}
		}

	}

	/**
	 * A task and its time. A cancelled entry stays queued, without its task. Removing it
	 * would make the next entry the first one, which wakes the thread.
	 */
	private static final class Entry implements Task, Runnable {

		private final long dueAt;

		private volatile @Nullable Runnable task;

		Entry(Runnable task, long dueAt) {
			this.task = task;
			this.dueAt = dueAt;
		}

		boolean isCancelled() {
			return this.task == null;
		}

		@Override
		public void run() {
			Runnable due = this.task;
			try {
				if (due != null) {
					due.run();
				}
			}
			catch (Throwable ex) {
				logger.error("A task of the lock client failed unexpectedly: please report this", ex);
			}
		}

		@Override
		public void cancel() {
			this.task = null;
		}

	}

}
