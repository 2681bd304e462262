/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.store.LockStore;
import org.jspecify.annotations.Nullable;

/**
 * What a lock client runs on: clocks, timers, locks, executors and calls to the store.
 * Each client has a separate environment. Thread-safe.
 */
public interface Environment {

	/**
	 * Reads the clocks.
	 * @return the reading
	 */
	ClockReading now();

	/**
	 * Returns the source of identifiers and jitter.
	 * @return the source
	 */
	Randomness randomness();

	/**
	 * Returns the timer of leases: of heartbeats, warnings and losses. It shares nothing
	 * with calls, so that a loss is reported even if they hang.
	 * @return the timer
	 */
	Timer watch();

	/**
	 * Returns the timer of acquisitions and releases: of pauses between their calls, and
	 * of callers' deadlines. It shares nothing with {@link #watch()}, so that thousands
	 * of waits that end at once, or a callback on its thread, delay no heartbeat.
	 * @return the timer
	 */
	default Timer waits() {
		return watch();
	}

	/**
	 * Returns the client's threads for calls that no caller waits for.
	 * @return runs each call on a thread, which it may block
	 */
	Executor background();

	/**
	 * Returns the client's threads for calls that this thread's caller does not make
	 * itself.
	 * @return runs each call on a thread, in the context of the caller
	 */
	default Executor callersContext() {
		return background();
	}

	/**
	 * Sends a call to the lock table as soon as a slot is free. Does not block.
	 * @param call the call
	 * @param thread makes it, or {@code null} for the client's threads for its kind
	 */
	void send(StoreCall call, @Nullable Executor thread);

	/**
	 * Returns the lock table, for what is no call of an operation.
	 * @return the lock table
	 */
	LockStore store();

	/**
	 * Returns the executor for listeners.
	 * @return runs each task on a thread, which it may block
	 */
	Executor listeners();

	/**
	 * Creates a lock that guards a part of the client's state. No code of the application
	 * runs while it is held.
	 * @return a reentrant lock
	 */
	default Lock lock() {
		return new ReentrantLock();
	}

	/**
	 * Ends all threads.
	 * @param timeout how long to wait for busy threads to end
	 * @param abandoning gives up what waits for the threads of listeners; run before they
	 * are interrupted, if they are busy for long
	 */
	void close(Duration timeout, Runnable abandoning);

	/**
	 * Returns whether {@link #close} ends this thread.
	 * @return whether this is a thread of the client
	 */
	default boolean runsThisThread() {
		return false;
	}

}
