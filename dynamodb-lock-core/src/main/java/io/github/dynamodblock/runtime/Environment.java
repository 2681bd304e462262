/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.Executor;

import io.github.dynamodblock.protocol.Moment;
import io.github.dynamodblock.protocol.Randomness;

/**
 * What a lock client stands on: clocks, timers, executors and the way to the store. One
 * environment belongs to one client. Thread-safe.
 */
public interface Environment {

	/**
	 * Reads the clocks.
	 * @return what they say
	 */
	Moment now();

	/**
	 * Where identifiers and jitter come from.
	 * @return the source
	 */
	Randomness randomness();

	/**
	 * The timer of waits, deadlines and heartbeats.
	 * @return the timer
	 */
	Timer timer();

	/**
	 * The timer that watches over leases. It shares nothing with {@link #timer()}, so
	 * that a loss is told even when heartbeats hang.
	 * @return the timer
	 */
	Timer watch();

	/**
	 * The calls of acquisitions and releases.
	 * @return how to send them
	 */
	StoreCalls calls();

	/**
	 * The calls of one release, whose caller waits for it come what may: the first may be
	 * carried out on the caller's own thread, which saves two hand-overs.
	 * @return how to send them, for one release
	 */
	default StoreCalls callsForWaitingCaller() {
		return calls();
	}

	/**
	 * The calls of heartbeats, a bounded number at a time.
	 * @return how to send them
	 */
	StoreCalls heartbeats();

	/**
	 * The calls of listings.
	 * @return how to send them
	 */
	PageCalls pages();

	/**
	 * Where listeners are called. A task may block for ever.
	 * @return the executor
	 */
	Executor listeners();

	/**
	 * Ends every thread.
	 * @param patience how long to wait for those that are busy
	 */
	void close(Duration patience);

}
