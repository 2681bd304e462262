/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * Serializes this client's acquisitions per key, first in, first out. A turn lasts from
 * the first call of an acquisition to the end of its lease: one client has one poller per
 * key, and a lock that it holds is denied to others without a call. Thread-safe.
 */
final class WaitQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<QueueKey, Turn> turns = new HashMap<>();

	/**
	 * Enters the queue of a key.
	 * @param waiter gets the turn, at once if the key is free
	 * @return whether the key was free
	 */
	boolean enter(QueueKey queueKey, Waiter waiter) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(queueKey);
			if (turn != null) {
				turn.add(waiter);
				return false;
			}
			this.turns.put(queueKey, new Turn(waiter));
		}
		finally {
			this.lock.unlock();
		}
		waiter.turnCame();
		return true;
	}

	/** Ends a turn, and begins that of the next waiter. */
	void leave(QueueKey queueKey) {
		Waiter next = next(queueKey);
		if (next != null) {
			next.turnCame();
		}
	}

	private @Nullable Waiter next(QueueKey queueKey) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(queueKey);
			Waiter next = (turn == null) ? null : turn.next();
			if (next == null) {
				this.turns.remove(queueKey);
			}
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Keeps the turn for the lease of an acquisition, and drops the acquisition: a lock
	 * may be held for long.
	 * @param granted the acquisition, whose lease may have ended its turn already
	 */
	void granted(QueueKey queueKey, Waiter granted) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(queueKey);
			if (turn != null && turn.current == granted) {
				turn.current = null;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Leaves the queue without a turn.
	 * @return {@code false} if the waiter has or had the turn, or was never in the queue
	 */
	boolean withdraw(QueueKey queueKey, Waiter waiter) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(queueKey);
			return turn != null && turn.withdraw(waiter);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Stays in the queue beyond the wait time, until the current acquisition has more
	 * evidence.
	 * @return {@code false} if the waiter has or had the turn, or was never in the queue
	 */
	boolean stayOverdue(QueueKey queueKey, Waiter waiter) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(queueKey);
			if (turn == null || !turn.waiting.contains(waiter)) {
				return false;
			}
			turn.addOverdue(waiter);
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns the waiters that stay beyond their wait time. */
	List<Waiter> overdue(QueueKey queueKey) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(queueKey);
			return (turn == null) ? List.of() : List.copyOf(turn.overdue);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns the acquisition that has the turn; none if a lease has it. */
	@Nullable Waiter current(QueueKey queueKey) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(queueKey);
			return (turn == null) ? null : turn.current;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits for a turn.
	 */
	interface Waiter {

		/**
		 * Begins the turn, which ends with {@link WaitQueue#leave}. Does not block.
		 */
		void turnCame();

		/**
		 * Returns why other acquisitions are not granted the lock, once this one has the
		 * turn.
		 * @return the reason, or {@code null} if it is not known yet
		 */
		default Step.@Nullable End evidence() {
			return null;
		}

		/**
		 * The current acquisition has more evidence than when the wait time of this one
		 * was over.
		 */
		default void evidenceFound() {
		}

	}

	/**
	 * A turn, and the waiters for the next ones: in sets, since thousands may leave at
	 * once.
	 */
	private static final class Turn {

		private @Nullable Waiter current;

		/** Empty and shared until a waiter comes: most locks have none. */
		private Set<Waiter> waiting = Set.of();

		private Set<Waiter> overdue = Set.of();

		Turn(Waiter current) {
			this.current = current;
		}

		@Nullable Waiter next() {
			Iterator<Waiter> first = this.waiting.iterator();
			if (!first.hasNext()) {
				return null;
			}
			Waiter next = first.next();
			withdraw(next);
			this.current = next;
			return next;
		}

		void add(Waiter waiter) {
			if (this.waiting.isEmpty()) {
				this.waiting = new LinkedHashSet<>();
			}
			this.waiting.add(waiter);
		}

		void addOverdue(Waiter waiter) {
			if (this.overdue.isEmpty()) {
				this.overdue = new LinkedHashSet<>();
			}
			this.overdue.add(waiter);
		}

		boolean withdraw(Waiter waiter) {
			if (!this.overdue.isEmpty()) {
				this.overdue.remove(waiter);
			}
			return !this.waiting.isEmpty() && this.waiting.remove(waiter);
		}

	}

}
