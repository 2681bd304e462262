/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

import io.github.dynamodblock.runtime.SimulatedThreads.Task;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock of a simulated client. Whoever needs it while its holder stalls lets
 * the holder go on first. Where the holder in turn waits for the one that needs it, a
 * real client would stand still for good.
 */
final class SimulatedLock implements Lock {

	private final SimulatedThreads threads;

	private final Consumer<String> violations;

	private @Nullable Task holder;

	private int holds;

	SimulatedLock(SimulatedThreads threads, Consumer<String> violations) {
		this.threads = threads;
		this.violations = violations;
	}

	@Override
	public void lock() {
		Task task = this.threads.current();
		while (this.holder != null && this.holder != task) {
			if (!this.threads.isStalled(this.holder)) {
				this.violations.accept("two threads of a client wait for each other's locks");
				throw new IllegalStateException("deadlock");
			}
			this.threads.continueIfStalled(this.holder);
		}
		this.holder = task;
		this.holds++;
		task.locked(1);
	}

	@Override
	public void unlock() {
		Task task = this.holder;
		if (task == null || task != this.threads.current()) {
			throw new IllegalMonitorStateException("not held by this thread");
		}
		task.locked(-1);
		if (--this.holds == 0) {
			this.holder = null;
		}
	}

	@Override
	public void lockInterruptibly() {
		lock();
	}

	@Override
	public boolean tryLock() {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException();
	}

}
