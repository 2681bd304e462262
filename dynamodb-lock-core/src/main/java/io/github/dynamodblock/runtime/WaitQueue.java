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
 * Who of this client may deal with a key: one of each line at a time, first come first
 * served. The turn lasts from the first call of an acquisition to the end of its lease.
 * So one client has one poller per key, and what it holds is answered without a call.
 * Thread-safe.
 */
final class WaitQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<QueueKey, Turn> turns = new HashMap<>();

	/**
	 * Asks for a turn.
	 * @param queueKey where
	 * @param waiter whose turn it is to be; called at once if the key is free
	 * @param mayWait whether to stand in line if it is not
	 * @return {@code false} if the key is not free and the waiter may not wait
	 */
	boolean enter(QueueKey queueKey, Waiter waiter, boolean mayWait) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(queueKey);
			if (turn != null) {
				return mayWait && turn.add(waiter);
			}
			this.turns.put(queueKey, new Turn(waiter));
		}
		finally {
			this.lock.unlock();
		}
		waiter.turnCame();
		return true;
	}

	/**
	 * Ends a turn; the next in line has the next.
	 * @param queueKey where
	 */
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
	 * Keeps a turn for the lease that its acquisition was granted, and forgets the
	 * acquisition: a lock may be held for long.
	 * @param queueKey the queue
	 * @param granted the acquisition, whose lease may have ended and left already
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
	 * Leaves the line without a turn.
	 * @param queueKey where
	 * @param waiter who leaves
	 * @return {@code false} if the waiter's turn has come, or it was never in line
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
	 * Stays in line although the waiter's time is over, until the one whose turn it is
	 * knows more.
	 * @param queueKey where
	 * @param waiter who stays
	 * @return {@code false} if the waiter's turn has come, or it was never in line
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

	/**
	 * Those who stay although their time is over.
	 * @param queueKey where
	 * @return the waiters
	 */
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

	/**
	 * Whose turn it is.
	 * @param queueKey where
	 * @return the waiter, or {@code null} if no acquisition has the turn
	 */
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
	 * One who waits for a turn.
	 */
	interface Waiter {

		/**
		 * The turn has come. Whoever takes it must {@link WaitQueue#leave leave} in the
		 * end. Does not block.
		 */
		void turnCame();

		/**
		 * What a waiter whose turn it is knows of the lock.
		 * @return why others are not granted it, or {@code null} if that is not known yet
		 */
		default Step.@Nullable End evidence() {
			return null;
		}

		/**
		 * The waiter whose turn it is knows more than it did when this one's time was
		 * over.
		 */
		default void aheadKnowsMore() {
		}

	}

	/**
	 * A turn, and who stands in line for the next ones. In sets, since thousands may
	 * leave at once.
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

		boolean add(Waiter waiter) {
			if (this.waiting.isEmpty()) {
				this.waiting = new LinkedHashSet<>();
			}
			return this.waiting.add(waiter);
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
