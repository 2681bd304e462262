/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.store.PageAnswer;
import io.github.dynamodblock.store.PageRequest;

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
	 * Returns the timer of heartbeats.
	 * @return the timer
	 */
	Timer timer();

	/**
	 * Returns the timer of acquisitions and releases: of pauses between their calls, and
	 * of callers' deadlines. It shares nothing with {@link #timer()}, so that thousands
	 * of waits that end at once, or a callback on its thread, delay no heartbeat.
	 * @return the timer
	 */
	default Timer waits() {
		return timer();
	}

	/**
	 * Returns the timer that watches leases. It shares nothing with {@link #timer()}, so
	 * that a loss is reported even if heartbeats hang.
	 * @return the timer
	 */
	Timer watch();

	/**
	 * Sends the calls of acquisitions, a bounded number at a time.
	 * @return the calls
	 */
	StoreCalls calls();

	/**
	 * Sends the calls of releases, and of callers that wait for a single answer, ahead of
	 * the calls of acquisitions.
	 * @return the calls
	 */
	default StoreCalls promptCalls() {
		return calls();
	}

	/**
	 * Sends the calls of one release whose caller waits in any case: the first may run on
	 * the caller's own thread, which saves two changes of thread.
	 * @return the calls of one release
	 */
	default StoreCalls callsOfWaitingCaller() {
		return promptCalls();
	}

	/**
	 * Sends the calls of heartbeats, a bounded number at a time.
	 * @return the calls
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
	 * Returns the time of the lock table's service now, by its last answer.
	 * @return the time; empty if no answer carried one
	 */
	default Optional<ServiceTime> serviceTime() {
		return Optional.empty();
	}

	/**
	 * Returns an executor for a listener. A task that blocks delays the tasks of this
	 * executor only.
	 * @return a new executor each time, unless the application set one
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
	 */
	void close(Duration timeout);

}
