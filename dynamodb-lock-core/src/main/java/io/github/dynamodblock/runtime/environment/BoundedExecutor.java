/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks on a bounded number of another executor's threads, first in, first out.
 * Tasks that block delay the tasks of this executor, and no others. Thread-safe.
 */
final class BoundedExecutor implements Executor {

	private final Executor threads;

	private final int most;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger running = new AtomicInteger();

	BoundedExecutor(Executor threads, int most) {
		this.threads = threads;
		this.most = most;
	}

	@Override
	public void execute(Runnable task) {
		this.tasks.add(task);
		try {
			runMore();
		}
		catch (Throwable ex) {
			// Where other threads are at work, one of them runs it.
			if (this.running.get() == 0 && this.tasks.remove(task)) {
				throw ex;
			}
		}
	}

	private void runMore() {
		if (entered()) {
			try {
				this.threads.execute(this::runTasks);
			}
			catch (Throwable ex) {
				this.running.decrementAndGet();
				throw ex;
			}
		}
	}

	private boolean entered() {
		return this.running.getAndUpdate((running) -> Math.min(this.most, running + 1)) < this.most;
	}

	private void runTasks() {
		do {
			try {
				for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
					task.run();
				}
			}
			finally {
				this.running.decrementAndGet();
			}
			// A task may have come while all threads still seemed to be at work.
		}
		while (!this.tasks.isEmpty() && entered());
	}

}
