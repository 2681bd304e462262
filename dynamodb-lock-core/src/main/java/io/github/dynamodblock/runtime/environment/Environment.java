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

	ClockReading now();

	Randomness randomness();

	/**
	 * Returns the timer for heartbeats, expiry warnings and losses. It is independent of
	 * calls, so a loss is reported even if they hang.
	 */
	Timer watch();

	/**
	 * Returns the timer for pauses between calls and for callers' deadlines. It is
	 * separate from {@link #watch()}, so neither thousands of waits that end at once nor
	 * a callback on the thread of this timer delay heartbeats.
	 */
	default Timer waits() {
		return watch();
	}

	/**
	 * Returns the client's threads for calls that no caller waits for. Each task may
	 * block its thread.
	 */
	Executor background();

	/**
	 * Returns the client's threads for calls that this thread does not make itself. Each
	 * task runs in the context of this thread's caller.
	 */
	default Executor callersContext() {
		return background();
	}

	/**
	 * Sends a call to the lock table as soon as a call slot is free. Does not block.
	 * @param thread makes the call, or {@code null} for the client's own threads
	 */
	void send(StoreCall call, @Nullable Executor thread);

	/** Returns the lock table, for calls that do not belong to an operation. */
	LockStore store();

	/** Returns the executor for listeners. Each task may block its thread. */
	Executor listeners();

	/**
	 * Creates a reentrant lock that guards a part of the client's state. No code of the
	 * application runs while it is held.
	 */
	default Lock lock() {
		return new ReentrantLock();
	}

	/**
	 * Ends all threads.
	 * @param timeout how long to wait for busy threads to end
	 * @param abandoning drops the waiting callbacks of listeners; called before threads
	 * are interrupted, if listeners are still busy
	 */
	void close(Duration timeout, Runnable abandoning);

	/** Returns whether this is a thread of the client, which {@link #close} ends. */
	default boolean runsThisThread() {
		return false;
	}

}
