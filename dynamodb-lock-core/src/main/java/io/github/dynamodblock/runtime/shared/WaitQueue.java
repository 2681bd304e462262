/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.shared;

import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Serializes this client's acquisitions per key, first in, first out. A turn lasts from
 * the first call of an acquisition to the end of its lease: one client has one poller per
 * key, and a lock that it holds is denied to others without a call. A waiter may stand in
 * the lines of several keys. Thread-safe.
 */
public final class WaitQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<LockKey, Turn> turns = new HashMap<>();

	private <T extends @Nullable Object> T locked(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Enters the queue of a key.
	 * @param waiter gets its turn later if the key is not free
	 * @return whether the key was free, so that this begins the waiter's turn
	 */
	public boolean enter(LockKey key, Waiter waiter) {
		return locked(() -> {
			Turn turn = this.turns.get(key);
			if (turn == null || turn.isVacantFor(waiter)) {
				return begins(key, turn, waiter);
			}
			turn.add(waiter);
			return false;
		});
	}

	/**
	 * Enters the queue of a key if the key is free, or the first in line pauses.
	 * @return whether this begins the waiter's turn
	 */
	public boolean enterIfFree(LockKey key, Waiter waiter) {
		return locked(() -> {
			Turn turn = this.turns.get(key);
			return (turn == null || turn.vacant) && begins(key, turn, waiter);
		});
	}

	private boolean begins(LockKey key, @Nullable Turn turn, Waiter waiter) {
		if (turn == null) {
			this.turns.put(key, new Turn(waiter));
		}
		else {
			turn.take(waiter);
		}
		return true;
	}

	/**
	 * Gives a turn up and stays first in line, without a turn until the waiter enters the
	 * queue again. In the meantime, others may have the turn.
	 */
	public void pause(LockKey key, Waiter waiter) {
		locked(() -> {
			Turn turn = this.turns.get(key);
			if (turn != null && turn.current == waiter) {
				turn.vacate(waiter);
			}
			return true;
		});
	}

	/** Ends a turn, and begins that of the next waiter. */
	public void leave(LockKey key) {
		Waiter next = this.<@Nullable Waiter>locked(() -> {
			Turn turn = this.turns.get(key);
			Waiter first = (turn == null) ? null : turn.next();
			if (first == null) {
				this.turns.remove(key);
			}
			return first;
		});
		if (next != null) {
			next.onTurn(key);
		}
	}

	/**
	 * Passes a turn on to the next waiter together with the lock, which its holder has
	 * not released.
	 * @param lease gives the waiter's lease, or {@code null} if the lock is not handed on
	 * @return what begins the waiter's turn; or {@code null}, and the turn stays as it is
	 */
	public @Nullable Runnable handOn(LockKey key, Function<AcquisitionTerms, @Nullable Lease> lease) {
		return this.<@Nullable Runnable>locked(() -> {
			Turn turn = this.turns.get(key);
			AcquisitionTerms terms = (turn == null) ? null : turn.nextTerms();
			Lease handedOn = (terms == null) ? null : lease.apply(terms);
			if (turn == null || handedOn == null) {
				return null;
			}
			Waiter next = Objects.requireNonNull(turn.next());
			return () -> next.onTurn(handedOn);
		});
	}

	/**
	 * Keeps the turn for the lease of an acquisition, and drops the acquisition: a lock
	 * may be held for long.
	 * @param granted the acquisition, whose lease may have ended its turn already
	 */
	public void granted(LockKey key, Waiter granted) {
		locked(() -> {
			Turn turn = this.turns.get(key);
			if (turn != null && turn.current == granted) {
				turn.current = null;
			}
			return true;
		});
	}

	/**
	 * Leaves the queue without a turn.
	 * @return {@code false} if the waiter has or had the turn, or was never in the queue
	 */
	public boolean withdraw(LockKey key, Waiter waiter) {
		boolean vacates = locked(() -> {
			Turn turn = this.turns.get(key);
			return turn != null && turn.isVacantFor(waiter) && begins(key, turn, waiter);
		});
		if (vacates) {
			leave(key);
			return true;
		}
		return locked(() -> {
			Turn turn = this.turns.get(key);
			return turn != null && turn.waiting.remove(waiter);
		});
	}

	/** Returns those that have not had their turn yet. */
	public List<Waiter> waiting(LockKey key) {
		return locked(() -> {
			Turn turn = this.turns.get(key);
			return (turn == null) ? List.of() : List.copyOf(turn.waiting);
		});
	}

	/** Returns the acquisition that has the turn; none if a lease has it. */
	public @Nullable Waiter current(LockKey key) {
		return this.<@Nullable Waiter>locked(() -> {
			Turn turn = this.turns.get(key);
			return (turn == null) ? null : turn.current;
		});
	}

	/**
	 * Waits for a turn.
	 */
	public interface Waiter {

		/**
		 * Begins the turn, which ends with {@link WaitQueue#leave}. Does not block.
		 */
		void onTurn(LockKey key);

		/**
		 * Begins the turn with a lock that the previous holder has not released.
		 * @param lease the lease with which it is handed on
		 */
		default void onTurn(Lease lease) {
			throw new UnsupportedOperationException("accepts only released locks");
		}

		/**
		 * Returns the options of a lease with which the lock may be handed on, or
		 * {@code null} for none.
		 */
		default @Nullable AcquisitionTerms terms() {
			return null;
		}

		/**
		 * Returns why other acquisitions are not granted the lock, once this one has the
		 * turn.
		 * @return the reason, or {@code null} if it is not known yet
		 */
		default Step.@Nullable End evidence(LockKey key) {
			return null;
		}

		/** The acquisition that has the turn has more evidence. */
		default void onEvidence() {
		}

	}

	/**
	 * A turn, and the waiters for the next ones: in a set, since thousands may leave at
	 * once.
	 */
	private static final class Turn {

		private @Nullable Waiter current;

		/** Empty and shared until a waiter comes: most locks have none. */
		private Set<Waiter> waiting = Collections.emptySet();

		/** Whether the first in line pauses, so that none has the turn. */
		private boolean vacant;

		Turn(Waiter current) {
			this.current = current;
		}

		@Nullable AcquisitionTerms nextTerms() {
			Iterator<Waiter> first = this.waiting.iterator();
			return first.hasNext() ? first.next().terms() : null;
		}

		@Nullable Waiter next() {
			Iterator<Waiter> first = this.waiting.iterator();
			if (!first.hasNext()) {
				return null;
			}
			this.current = first.next();
			first.remove();
			return this.current;
		}

		boolean isVacantFor(Waiter waiter) {
			return this.vacant && this.waiting.iterator().next() == waiter;
		}

		void take(Waiter waiter) {
			this.waiting.remove(waiter);
			this.current = waiter;
			this.vacant = false;
		}

		void vacate(Waiter waiter) {
			Set<Waiter> others = this.waiting;
			this.waiting = new LinkedHashSet<>();
			this.waiting.add(waiter);
			this.waiting.addAll(others);
			this.current = null;
			this.vacant = true;
		}

		void add(Waiter waiter) {
			if (this.waiting.isEmpty()) {
				this.waiting = new LinkedHashSet<>();
			}
			this.waiting.add(waiter);
		}

	}

}
