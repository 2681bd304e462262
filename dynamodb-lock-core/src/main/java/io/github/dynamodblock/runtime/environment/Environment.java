/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.store.PageAnswer;
import io.github.dynamodblock.store.PageRequest;

/**
 * What a lock client stands on: clocks, timers, locks, executors and the way to the
 * store. One environment belongs to one client. Thread-safe.
 */
public interface Environment {

	/**
	 * Reads the clocks.
	 * @return what they say
	 */
	ClockReading now();

	/**
	 * Where identifiers and jitter come from.
	 * @return the source
	 */
	Randomness randomness();

	/**
	 * The timer of heartbeats.
	 * @return the timer
	 */
	Timer timer();

	/**
	 * The timer of acquisitions and releases: of pauses between their calls, and of
	 * callers' deadlines. It shares nothing with {@link #timer()}, so that thousands of
	 * waits that end at once, or a callback that runs on its thread, delay no heartbeat.
	 * @return the timer
	 */
	default Timer waits() {
		return timer();
	}

	/**
	 * The timer that watches over leases. It shares nothing with {@link #timer()}, so
	 * that a loss is told even when heartbeats hang.
	 * @return the timer
	 */
	Timer watch();

	/**
	 * The calls of acquisitions, a bounded number at a time.
	 * @return how to send them
	 */
	StoreCalls calls();

	/**
	 * The calls of releases, and of whoever waits for a single answer. They go ahead of
	 * the calls of acquisitions.
	 * @return how to send them
	 */
	default StoreCalls promptCalls() {
		return calls();
	}

	/**
	 * The calls of one release, whose caller waits for it come what may: the first may be
	 * carried out on the caller's own thread, which saves two hand-overs.
	 * @return how to send them, for one release
	 */
	default StoreCalls callsOfWaitingCaller() {
		return promptCalls();
	}

	/**
	 * The calls of heartbeats, a bounded number at a time.
	 * @return how to send them
	 */
	StoreCalls heartbeats();

	/**
	 * Reads a page of a listing.
	 * @param request the page
	 * @param limitNanos the time limit of the call
	 * @return completed with the answer, never with an exception
	 */
	CompletableFuture<PageAnswer> list(PageRequest request, long limitNanos);

	/**
	 * Where a listener, or several that share a number of threads, is called. A task may
	 * block; it then delays the tasks of this executor only.
	 * @return the executor; another one each time, unless the application gave one
	 */
	Executor listeners();

	/**
	 * Makes a lock that guards a part of the client's state. No code of the application
	 * runs while it is held.
	 * @return a reentrant lock
	 */
	default Lock lock() {
		return new ReentrantLock();
	}

	/**
	 * Ends every thread.
	 * @param timeout how long to wait for busy threads to end
	 */
	void close(Duration timeout);

}
