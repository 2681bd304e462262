/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A timer with a separate thread, which ends when it has been idle for a while.
 * <p>
 * Nearly all tasks are cancelled long before their time: an uncontended lock schedules
 * its first heartbeat and is released. The thread is therefore woken only by a task that
 * is due before it would wake anyway, and not when a task is cancelled. A
 * {@link java.util.concurrent.ScheduledThreadPoolExecutor} wakes its thread for each.
 */
final class ScheduledTimer implements Timer {

	private static final Logger logger = LoggerFactory.getLogger(ScheduledTimer.class);

	private static final long RETRY_MILLIS = 100;

	/** How long the thread sleeps at most, and how long it stays without tasks. */
	private static final long IDLE_NANOS = 2_000_000_000L;

	/** So that the difference of two times never overflows. */
	private static final long LONGEST_DELAY = Long.MAX_VALUE / 4;

	private static final Comparator<Entry> IN_ORDER = (one, other) -> (one.at != other.at)
			? Long.signum(one.at - other.at) : Long.compare(one.number, other.number);

	private final ExecutorService threads;

	/** Guards all fields below and no task. */
	private final ReentrantLock lock = new ReentrantLock();

	private final Condition sooner = this.lock.newCondition();

	private final TreeSet<Entry> entries = new TreeSet<>(IN_ORDER);

	private long scheduled;

	/** Whether there is a thread, or one is being started. */
	private boolean running;

	/** Whether the thread sleeps, and until when. */
	private boolean sleeping;

	private long wakesAt;

	/**
	 * Creates a timer without a thread.
	 * @param threads gives its thread
	 */
	ScheduledTimer(ExecutorService threads) {
		this.threads = threads;
	}

	@Override
	public Task schedule(long delayNanos, Runnable task) {
		long delay = Math.max(0, Math.min(delayNanos, LONGEST_DELAY));
		Entry entry;
		boolean starts;
		this.lock.lock();
		try {
			entry = new Entry(System.nanoTime() + delay, this.scheduled++, task);
			this.entries.add(entry);
			starts = !this.running;
			this.running = true;
			if (this.sleeping && entry.at - this.wakesAt < 0) {
				this.wakesAt = entry.at;
				this.sooner.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
		if (starts) {
			start();
		}
		return entry;
	}

	private void start() {
		try {
			startThread();
		}
		catch (Throwable ex) {
			// No thread could be created: the task waits for one.
			logger.error("A timer of the lock client has no thread yet, and is late", ex);
			startLater();
		}
	}

	private void startThread() {
		try {
			this.threads.execute(this::runTasks);
		}
		catch (RejectedExecutionException ex) {
			// The client is closed.
			drop();
		}
	}

	/** No other task may be scheduled, so the thread must not wait for one. */
	private void startLater() {
		CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS, Runnable::run).execute(() -> {
			try {
				startThread();
			}
			catch (Throwable ex) {
				startLater();
			}
		});
	}

	private void runTasks() {
		for (Entry due = awaitDue(); due != null; due = awaitDue()) {
			run(due.task);
		}
	}

	/**
	 * Waits for a task.
	 * @return the task, or {@code null} to end the thread
	 */
	private @Nullable Entry awaitDue() {
		this.lock.lock();
		try {
			long scheduledBefore = -1;
			while (!this.threads.isShutdown()) {
				Entry first = this.entries.isEmpty() ? null : this.entries.first();
				long now = System.nanoTime();
				if (first != null && first.at - now <= 0) {
					this.entries.remove(first);
					return first;
				}
				if (first == null && scheduledBefore == this.scheduled) {
					this.running = false;
					return null;
				}
				scheduledBefore = this.scheduled;
				sleep((first != null) ? Math.min(first.at - now, IDLE_NANOS) : IDLE_NANOS, now);
			}
			drop();
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	@SuppressWarnings("WaitNotInLoop") // its caller looks again
	private void sleep(long nanos, long now) {
		this.wakesAt = now + nanos;
		this.sleeping = true;
		try {
			this.sooner.awaitNanos(nanos);
		}
		catch (InterruptedException ex) {
			// The client closes, or a task left its interrupt behind.
		}
		finally {
			this.sleeping = false;
		}
	}

	private void drop() {
		this.lock.lock();
		try {
			this.entries.clear();
			this.running = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	ExecutorService executor() {
		return this.threads;
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			logger.error("A task of the lock client failed unexpectedly: please report this", ex);
		}
	}

	/**
	 * A task that waits for its time.
	 */
	private final class Entry implements Task {

		private final long at;

		private final long number;

		private final Runnable task;

		Entry(long at, long number, Runnable task) {
			this.at = at;
			this.number = number;
			this.task = task;
		}

		@Override
		public void cancel() {
			ScheduledTimer timer = ScheduledTimer.this;
			timer.lock.lock();
			try {
				timer.entries.remove(this);
			}
			finally {
				timer.lock.unlock();
			}
		}

	}

}
