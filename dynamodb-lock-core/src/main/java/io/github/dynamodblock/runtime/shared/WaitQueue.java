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
 * an acquisition's first call to the end of its lease. A client therefore polls each key
 * only once. It needs no call to refuse other acquisitions of a lock that it holds. A
 * waiter may be in the queues of several keys. Thread-safe.
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
	 * @return whether the waiter's turn has begun; otherwise,
	 * {@link Waiter#onTurn(LockKey)} follows
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
	 * Enters the queue of a key if no waiter has the turn: the key is free, or the first
	 * in the queue pauses.
	 * @return whether the waiter's turn has begun
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
	 * Gives up a turn, but stays first in the queue. The waiter has no turn until it
	 * enters the queue again. In the meantime, others may have the turn.
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

	/** Ends a turn, and begins the next waiter's. */
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
	 * Passes a turn to the next waiter, together with the lock, which its holder has not
	 * released in the table.
	 * @param lease returns the waiter's lease, or {@code null} if the lock cannot be
	 * handed on
	 * @return a task that begins the waiter's turn, or {@code null} if the turn stays as
	 * it is
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
	 * Keeps the turn for the lease of an acquisition, but not the acquisition itself,
	 * because a lock may be held for long.
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
	 * Leaves the queue before the turn.
	 * @return {@code false} if the waiter has or had the turn, or was not in the queue
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

	/** Returns the waiters that have not had their turn yet. */
	public List<Waiter> waiting(LockKey key) {
		return locked(() -> {
			Turn turn = this.turns.get(key);
			return (turn == null) ? List.of() : List.copyOf(turn.waiting);
		});
	}

	/** Returns the acquisition that has the turn, or {@code null} if a lease has it. */
	public @Nullable Waiter current(LockKey key) {
		return this.<@Nullable Waiter>locked(() -> {
			Turn turn = this.turns.get(key);
			return (turn == null) ? null : turn.current;
		});
	}

	public interface Waiter {

		/** Begins the turn, which ends with {@link WaitQueue#leave}. Does not block. */
		void onTurn(LockKey key);

		/** Begins the turn with a lock that is handed on. */
		default void onTurn(Lease lease) {
			throw new UnsupportedOperationException("accepts only released locks");
		}

		/**
		 * Returns the terms under which the lock may be handed on to this waiter, or
		 * {@code null}.
		 */
		default @Nullable AcquisitionTerms terms() {
			return null;
		}

		/**
		 * Returns why the acquisitions behind this one are not granted the lock, or
		 * {@code null} if that is not known yet.
		 */
		default Step.@Nullable End evidence(LockKey key) {
			return null;
		}

		/** Notes that the acquisition with the turn has new evidence. */
		default void onEvidence() {
		}

	}

	/**
	 * A turn, and the waiters for the next ones. They are in a set, because thousands may
	 * leave at once.
	 */
	private static final class Turn {

		private @Nullable Waiter current;

		/** Empty and shared until there is a waiter, because most locks have none. */
		private Set<Waiter> waiting = Collections.emptySet();

		/** Whether no waiter has the turn, because the first in the queue pauses. */
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
