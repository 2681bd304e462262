/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.HeldLease;
import io.github.dynamodblock.protocol.ClockReading;
import org.jspecify.annotations.Nullable;

/**
 * The present state of a lease, swapped atomically: heartbeats, the watch and the holder
 * share no lock. Whoever brings a change about tells it, so that each is told exactly
 * once. Thread-safe.
 */
final class LeaseState {

	private final AtomicReference<Present> current;

	private final Changes changes;

	LeaseState(HeldLease lease, Changes changes) {
		this.current = new AtomicReference<>(new Present(lease, null));
		this.changes = changes;
	}

	HeldLease get() {
		return current().lease();
	}

	private Present current() {
		return Objects.requireNonNull(this.current.get());
	}

	/**
	 * How the holder has given its handle back.
	 * @return that, or {@code null} if it has not
	 */
	@Nullable HandleEnd handleEnd() {
		return current().handleEnd();
	}

	/**
	 * The holder gives its handle back. Of all who try, one succeeds.
	 * @param how how
	 * @param change what becomes of the lease with it
	 * @return the lease then, or {@code null} if the handle had been given back before
	 */
	@Nullable HeldLease endHandle(HandleEnd how, UnaryOperator<HeldLease> change) {
		return swapIf((before) -> before.handleEnd() == null,
				(before) -> new Present(change.apply(before.lease()), how));
	}

	/**
	 * The state at a time. Seeing that a lease is over makes it so: a late answer cannot
	 * revive what somebody was told is lost.
	 */
	HeldLease at(ClockReading now) {
		return update((lease) -> lease.at(now));
	}

	/**
	 * Changes the state.
	 * @param change gives the next state; may be called more than once
	 * @return the next state
	 */
	HeldLease update(UnaryOperator<HeldLease> change) {
		while (true) {
			Present before = current();
			HeldLease after = change.apply(before.lease());
			if (after == before.lease() || replace(before, new Present(after, before.handleEnd()))) {
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
		return end(change, change);
	}

	/**
	 * Ends a lease that is kept, in one way if its holder has given it back and in
	 * another if not.
	 * @param handleEnd gives the ended state in the first case
	 * @param inHand gives it in the second
	 * @return the ended state, or {@code null} if the lease had ended before
	 */
	@Nullable HeldLease end(UnaryOperator<HeldLease> handleEnd, UnaryOperator<HeldLease> inHand) {
		return swapIf(Present::isKept,
				(before) -> new Present(((before.handleEnd() != null) ? handleEnd : inHand).apply(before.lease()),
						before.handleEnd()));
	}

	/**
	 * Ends a lease that is kept, is in its holder's hand and is certainly as the table
	 * has it, and the handle with it.
	 * @return the ended state, or {@code null} if the lease is not so
	 */
	@Nullable HeldLease detach() {
		return swapIf((before) -> before.isKept() && before.handleEnd() == null && before.lease().isConfirmed(),
				(before) -> new Present(before.lease().ending(), HandleEnd.DETACHED));
	}

	private @Nullable HeldLease swapIf(Predicate<Present> condition, UnaryOperator<Present> change) {
		while (true) {
			Present before = current();
			if (!condition.test(before)) {
				return null;
			}
			Present after = change.apply(before);
			if (replace(before, after)) {
				return after.lease();
			}
		}
	}

	private boolean replace(Present present, Present next) {
		if (!this.current.compareAndSet(present, next)) {
			return false;
		}
		Callbacks.deferredDuring(() -> tell(present.lease(), next.lease()));
		return true;
	}

	private void tell(HeldLease before, HeldLease after) {
		if (before.lossReason() == null && after.lossReason() != null) {
			this.changes.lost(after.lossReason());
		}
		else if (!before.isExpiring() && after.isExpiring()) {
			this.changes.expiring();
		}
		else if (before.isExpiring() && after.isKept() && !after.isExpiring()) {
			this.changes.recovered();
		}
		// A lease that recovers late may be expiring again before it would have been
		// lost.
		if (after.isKept() && after.changesAt() < before.changesAt()) {
			this.changes.sooner();
		}
	}

	/**
	 * Told about changes, on the thread that brought them about; does not block.
	 */
	interface Changes {

		void lost(LossReason reason);

		void expiring();

		void recovered();

		/** The lease will be expiring or lost sooner than it seemed. */
		void sooner();

	}

	/**
	 * Both together, so that no end of the lease comes between its holder's looking and
	 * giving it back.
	 *
	 * @param lease the lease
	 * @param handleEnd how its holder has given it back, or {@code null}
	 */
	private record Present(HeldLease lease, @Nullable HandleEnd handleEnd) {

		boolean isKept() {
			return this.lease.isKept();
		}

	}

}
