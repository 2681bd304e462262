/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The threads of one simulated run, of which one at a time runs: nearly always the one
 * that drives the run. A task on a thread of its own can stall in the middle, while the
 * rest of the run goes on, and is continued later. Who runs when is decided by the run,
 * so that it stays the same each time.
 */
final class SimulatedThreads {

	private static final ExecutorService POOL = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "simulated");
		thread.setDaemon(true);
		thread.setUncaughtExceptionHandler(SimulatedThreads::reported);
		return thread;
	});

	/** How long no thread of a healthy run can take, in seconds of real time. */
	private static final long HANGS = 120;

	/** Those that wait for the one after them to stall or end; the last one runs. */
	private final Deque<Task> running = new ArrayDeque<>();

	private final Set<Task> stalled = new LinkedHashSet<>();

	SimulatedThreads() {
		this.running.add(new Task(null));
	}

	/** The client reports what its work throws, and goes on with what comes after it. */
	private static void reported(Thread thread, Throwable failure) {
		if (!(failure instanceof Aborted)) {
			thread.getThreadGroup().uncaughtException(thread, failure);
		}
	}

	/**
	 * Runs a task on a thread of its own until it stalls or ends.
	 * @param task the task
	 * @param clockReadings after which of its readings of a clock it is to stall
	 */
	void begin(Runnable task, int clockReadings) {
		Task begun = new Task(task);
		begun.clockReadings = clockReadings;
		POOL.execute(() -> Simulator.quietly(begun::run));
		continueTask(begun);
	}

	/**
	 * The task that runs now.
	 */
	Task current() {
		return this.running.getLast();
	}

	/**
	 * Stalls the task that runs now until it is continued.
	 */
	void stall() {
		Task task = current();
		this.stalled.add(task);
		task.giveWay();
	}

	/** Whether a task stalls. */
	boolean isStalled(Task task) {
		return this.stalled.contains(task);
	}

	/** Continues a task if it still stalls, until it stalls again or ends. */
	void continueIfStalled(Task task) {
		if (this.stalled.remove(task)) {
			continueTask(task);
		}
	}

	/** Ends what still stalls, since the run is over. */
	void end() {
		for (Task task : Set.copyOf(this.stalled)) {
			task.aborted = true;
			continueIfStalled(task);
		}
	}

	private void continueTask(Task task) {
		this.running.add(task);
		try {
			task.runUntilItStalls();
		}
		finally {
			this.running.removeLast();
		}
	}

	/**
	 * What a thread of the run does. The first one is the run itself.
	 */
	static final class Task {

		private final @Nullable Runnable action;

		private final Semaphore mayRun = new Semaphore(0);

		private final Semaphore hasStalled = new Semaphore(0);

		private @Nullable Throwable failure;

		private boolean aborted;

		/** How many more times this task reads a clock until it is to stall. */
		private int clockReadings;

		/** When this task went on after it stalled, in true time. */
		private long wentOnAt = Long.MIN_VALUE;

		/** How many locks of clients this task holds. */
		private int locks;

		private Task(@Nullable Runnable action) {
			this.action = action;
		}

		void wentOnAt(long time) {
			this.wentOnAt = time;
		}

		/** Whether this task has stalled, and has taken no time since. */
		boolean wentOnAtOnce(long time) {
			return this.wentOnAt == time;
		}

		private void run() {
			this.mayRun.acquireUninterruptibly();
			try {
				if (this.action != null) {
					this.action.run();
				}
			}
			catch (Aborted ex) {
				// The run is over.
			}
			catch (Throwable ex) {
				this.failure = ex;
			}
			finally {
				this.hasStalled.release();
			}
		}

		private void giveWay() {
			this.hasStalled.release();
			this.mayRun.acquireUninterruptibly();
			if (this.aborted) {
				throw new Aborted();
			}
		}

		private void runUntilItStalls() {
			this.mayRun.release();
			try {
				if (!this.hasStalled.tryAcquire(HANGS, TimeUnit.SECONDS)) {
					throw new IllegalStateException("a thread hangs: " + this.action);
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("interrupted in the middle of a run", ex);
			}
			if (this.failure instanceof Error error) {
				throw error;
			}
			if (this.failure != null) {
				throw (RuntimeException) this.failure;
			}
		}

		/** Notes that this task has read a clock, and returns whether it is to stall. */
		boolean stallsAfterReading() {
			return this.clockReadings > 0 && --this.clockReadings == 0;
		}

		void locked(int change) {
			this.locks += change;
		}

		/** Whether this task holds a lock of a client. */
		boolean holdsLocks() {
			return this.locks > 0;
		}

	}

	/**
	 * Ends a task that stalls when its run is over.
	 */
	private static final class Aborted extends Error {

		private static final long serialVersionUID = 1L;

		Aborted() {
			super("the run is over", null, false, false);
		}

	}

}
