/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.shared;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import io.github.dynamodblock.runtime.environment.Callbacks;

/**
 * Runs tasks one after the other on an executor. Never blocks the adding thread.
 * Thread-safe.
 */
public final class TaskQueue {

	private final Executor executor;

	private final BiConsumer<Runnable, Throwable> refused;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	/**
	 * @param refused receives a task that the executor rejected, and the reason
	 */
	TaskQueue(Executor executor, BiConsumer<Runnable, Throwable> refused) {
		this.executor = executor;
		this.refused = refused;
	}

	public void add(Runnable task) {
		this.tasks.add(task);
		if (this.pending.getAndIncrement() == 0) {
			Callbacks.run(this::start);
		}
	}

	/** A rejection drops one task, but not those after it. */
	private void start() {
		boolean more = true;
		while (more) {
			try {
				this.executor.execute(this::runAll);
				more = false;
			}
			catch (Throwable ex) {
				Runnable first = this.tasks.remove();
				Callbacks.runCompletely(() -> this.refused.accept(first, ex));
				more = this.pending.decrementAndGet() > 0;
			}
		}
	}

	private void runAll() {
		do {
			// Even a log that throws must not stop the tasks after this one.
			Callbacks.runCompletely(this.tasks.remove());
		}
		while (this.pending.decrementAndGet() > 0);
	}

}
