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

	private final Map<Line, Turn> turns = new HashMap<>();

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
			Turn turn = this.turns.get(line);
			if (turn != null) {
				return mayWait && turn.waiting.add(waiter);
			}
			this.turns.put(line, new Turn(waiter));
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
			Turn turn = this.turns.get(line);
			Waiter next = (turn == null) ? null : turn.next();
			if (next == null) {
				this.turns.remove(line);
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
			Turn turn = this.turns.get(line);
			return turn != null && turn.withdraw(waiter);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Stays in line although the waiter's time is over, until the one whose turn it is
	 * knows more.
	 * @param line where
	 * @param waiter who stays
	 * @return {@code false} if the waiter's turn has come, or it was never in line
	 */
	boolean stayOverdue(Line line, Waiter waiter) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(line);
			if (turn == null || !turn.waiting.contains(waiter)) {
				return false;
			}
			turn.overdue.add(waiter);
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Those who stay although their time is over.
	 * @param line where
	 * @return the waiters
	 */
	List<Waiter> overdue(Line line) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(line);
			return (turn == null) ? List.of() : List.copyOf(turn.overdue);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whose turn it is.
	 * @param line where
	 * @return the waiter, or {@code null} if nobody has the turn
	 */
	@Nullable Waiter current(Line line) {
		this.lock.lock();
		try {
			Turn turn = this.turns.get(line);
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

		private Waiter current;

		private final Set<Waiter> waiting = new LinkedHashSet<>();

		private final Set<Waiter> overdue = new LinkedHashSet<>();

		Turn(Waiter current) {
			this.current = current;
		}

		@Nullable Waiter next() {
			Iterator<Waiter> first = this.waiting.iterator();
			if (!first.hasNext()) {
				return null;
			}
			this.current = first.next();
			withdraw(this.current);
			return this.current;
		}

		boolean withdraw(Waiter waiter) {
			this.overdue.remove(waiter);
			return this.waiting.remove(waiter);
		}

	}

}
