/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on a bounded number of another executor's threads, first in, first out.
 * Tasks that block delay the tasks of this executor, and no others. Thread-safe.
 */
final class BoundedExecutor implements Executor {

	private final Executor threads;

	private final int most;

	/** Guards the fields below; nothing is called while it is held. */
	private final ReentrantLock lock = new ReentrantLock();

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	/** The threads that were requested and have not ended. */
	private int running;

	/** Those of them that the other executor has neither accepted nor refused yet. */
	private int requested;

	BoundedExecutor(Executor threads, int most) {
		this.threads = threads;
		this.most = most;
	}

	@Override
	public void execute(Runnable task) {
		if (!needsThread(task)) {
			return;
		}
		try {
			this.threads.execute(this::runTasks);
		}
		catch (Throwable ex) {
			if (withdraw(task)) {
				throw ex;
			}
			return;
		}
		accepted();
	}

	private boolean needsThread(Runnable task) {
		this.lock.lock();
		try {
			this.tasks.add(task);
			if (this.running >= this.most) {
				return false;
			}
			this.running++;
			this.requested++;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void accepted() {
		this.lock.lock();
		try {
			this.requested--;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Takes back a task, unless a thread runs it that was not refused. */
	private boolean withdraw(Runnable task) {
		this.lock.lock();
		try {
			this.running--;
			this.requested--;
			return this.running <= this.requested && this.tasks.remove(task);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void runTasks() {
		for (Runnable task = next(); task != null; task = next()) {
			// The tasks behind this one need the thread.
			Callbacks.runCompletely(task);
		}
	}

	/** In one step: a task that is added later sees that this thread has ended. */
	private @Nullable Runnable next() {
		this.lock.lock();
		try {
			Runnable task = this.tasks.poll();
			this.running -= (task == null) ? 1 : 0;
			return task;
		}
		finally {
			this.lock.unlock();
		}
	}

}
