/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * Who of this client may deal with a key: one at a time, first come first served. The
 * turn lasts from the first call of an acquisition to the end of its lease. So one client
 * has one poller per key, and what it holds is answered without a call. Thread-safe.
 */
final class WaitQueue {

	private final ReentrantLock lock = new ReentrantLock();

	/** Who stands in line behind the one whose turn it is. */
	private final Map<LockKey, Deque<Waiter>> lines = new HashMap<>();

	/**
	 * Asks for a turn.
	 * @param key the lock
	 * @param waiter whose turn it is to be; called at once if the key is free
	 * @param mayWait whether to stand in line if it is not
	 * @return {@code false} if the key is not free and the waiter may not wait
	 */
	boolean enter(LockKey key, Waiter waiter, boolean mayWait) {
		this.lock.lock();
		try {
			Deque<Waiter> line = this.lines.get(key);
			if (line != null) {
				return mayWait && line.add(waiter);
			}
			this.lines.put(key, new ArrayDeque<>());
		}
		finally {
			this.lock.unlock();
		}
		waiter.turnCame();
		return true;
	}

	/**
	 * Ends a turn; the next in line has the next.
	 * @param key the lock
	 */
	void leave(LockKey key) {
		Waiter next = next(key);
		if (next != null) {
			next.turnCame();
		}
	}

	private @Nullable Waiter next(LockKey key) {
		this.lock.lock();
		try {
			Deque<Waiter> line = this.lines.get(key);
			Waiter next = (line == null) ? null : line.poll();
			if (next == null) {
				this.lines.remove(key);
			}
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Leaves the line without a turn.
	 * @param key the lock
	 * @param waiter who leaves
	 * @return {@code false} if the waiter's turn has come, or it was never in line
	 */
	boolean withdraw(LockKey key, Waiter waiter) {
		this.lock.lock();
		try {
			Deque<Waiter> line = this.lines.get(key);
			return line != null && line.remove(waiter);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * One who waits for a turn.
	 */
	interface Waiter {

		/**
		 * The turn has come. Whoever takes it must {@link WaitQueue#leave leave} in the
		 * end. Does not block.
		 */
		void turnCame();

	}

}
