/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.shared;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.runtime.environment.Callbacks;

/**
 * Runs a bounded number of tasks at a time on a shared executor. Other tasks wait, first
 * in, first out. Thread-safe.
 */
public final class BoundedExecutor implements Executor {

	private final Executor executor;

	private final int most;

	private final AtomicInteger running = new AtomicInteger();

	private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

	public BoundedExecutor(Executor executor, int most) {
		this.executor = executor;
		this.most = most;
	}

	@Override
	public void execute(Runnable task) {
		this.waiting.add(task);
		try {
			beginNext();
		}
		catch (Throwable ex) {
			boolean refused = this.waiting.remove(task);
			if (!this.waiting.isEmpty()) {
				// Tasks that were added meanwhile rely on this attempt.
				beginNext();
			}
			if (refused) {
				throw ex;
			}
		}
	}

	private void beginNext() {
		if (begins()) {
			try {
				this.executor.execute(this::runAll);
			}
			catch (Throwable ex) {
				this.running.decrementAndGet();
				throw ex;
			}
		}
	}

	private boolean begins() {
		return this.running.getAndUpdate((running) -> Math.min(running + 1, this.most)) < this.most;
	}

	private void runAll() {
		do {
			for (Runnable next = this.waiting.poll(); next != null; next = this.waiting.poll()) {
				Callbacks.runCompletely(next);
			}
			this.running.decrementAndGet();
			// A task may have been added before this thread gave up its place.
		}
		while (!this.waiting.isEmpty() && begins());
	}

}
