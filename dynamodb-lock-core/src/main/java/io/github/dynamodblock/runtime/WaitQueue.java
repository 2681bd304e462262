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

import org.jspecify.annotations.Nullable;

/**
 * Who of this client may deal with a key: one of each line at a time, first come first
 * served. The turn lasts from the first call of an acquisition to the end of its lease.
 * So one client has one poller per key, and what it holds is answered without a call.
 * Thread-safe.
 */
final class WaitQueue {

	private final ReentrantLock lock = new ReentrantLock();

	/** Who stands in line behind the one whose turn it is. */
	private final Map<Line, Deque<Waiter>> lines = new HashMap<>();

	/**
	 * Asks for a turn.
	 * @param line where
	 * @param waiter whose turn it is to be; called at once if the key is free
	 * @param mayWait whether to stand in line if it is not
	 * @return {@code false} if the key is not free and the waiter may not wait
	 */
	boolean enter(Line line, Waiter waiter, boolean mayWait) {
		this.lock.lock();
		try {
			Deque<Waiter> waiting = this.lines.get(line);
			if (waiting != null) {
				return mayWait && waiting.add(waiter);
			}
			this.lines.put(line, new ArrayDeque<>());
		}
		finally {
			this.lock.unlock();
		}
		waiter.turnCame();
		return true;
	}

	/**
	 * Ends a turn; the next in line has the next.
	 * @param line where
	 */
	void leave(Line line) {
		Waiter next = next(line);
		if (next != null) {
			next.turnCame();
		}
	}

	private @Nullable Waiter next(Line line) {
		this.lock.lock();
		try {
			Deque<Waiter> waiting = this.lines.get(line);
			Waiter next = (waiting == null) ? null : waiting.poll();
			if (next == null) {
				this.lines.remove(line);
			}
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Leaves the line without a turn.
	 * @param line where
	 * @param waiter who leaves
	 * @return {@code false} if the waiter's turn has come, or it was never in line
	 */
	boolean withdraw(Line line, Waiter waiter) {
		this.lock.lock();
		try {
			Deque<Waiter> waiting = this.lines.get(line);
			return waiting != null && waiting.remove(waiter);
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
