/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.HeldLease;
import io.github.dynamodblock.protocol.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The present state of a lease, swapped atomically: heartbeats, the watch and the holder
 * share no lock. Whoever brings a change about tells it, so that each is told exactly
 * once. Thread-safe.
 */
final class LeaseState {

	private final AtomicReference<HeldLease> current;

	private final Changes changes;

	LeaseState(HeldLease lease, Changes changes) {
		this.current = new AtomicReference<>(lease);
		this.changes = changes;
	}

	HeldLease get() {
		return Objects.requireNonNull(this.current.get());
	}

	/**
	 * The state at a time. Seeing that a lease is over makes it so: a late answer cannot
	 * revive what somebody was told is lost.
	 */
	HeldLease at(Moment now) {
		return update((lease) -> lease.at(now));
	}

	/**
	 * Changes the state.
	 * @param change gives the next state; may be called more than once
	 * @return the next state
	 */
	HeldLease update(UnaryOperator<HeldLease> change) {
		while (true) {
			HeldLease before = get();
			HeldLease after = change.apply(before);
			if (after == before || replace(before, after)) {
				return after;
			}
		}
	}

	/**
	 * Ends a lease that is kept. Of all who try, one succeeds.
	 * @param change gives the ended state of a kept lease
	 * @return the ended state, or {@code null} if the lease had ended before
	 */
	@Nullable HeldLease end(UnaryOperator<HeldLease> change) {
		while (true) {
			HeldLease before = get();
			if (!before.isKept()) {
				return null;
			}
			HeldLease after = change.apply(before);
			if (replace(before, after)) {
				return after;
			}
		}
	}

	private boolean replace(HeldLease before, HeldLease after) {
		if (!this.current.compareAndSet(before, after)) {
			return false;
		}
		if (after.deadline() < before.deadline() || after.dangerAt() < before.dangerAt()) {
			this.changes.sooner();
		}
		if (before.lossReason() == null && after.lossReason() != null) {
			this.changes.lost(after.lossReason());
		}
		else if (!before.isInDanger() && after.isInDanger()) {
			this.changes.inDanger();
		}
		else if (before.isInDanger() && after.isKept() && !after.isInDanger()) {
			this.changes.recovered();
		}
		return true;
	}

	/**
	 * Told about changes, on the thread that brought them about; does not block.
	 */
	interface Changes {

		void lost(LossReason reason);

		void inDanger();

		void recovered();

		/** The lease will be in danger or lost sooner than it seemed. */
		void sooner();

	}

}
