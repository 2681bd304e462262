/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.lease.HeldLease;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a granted lock, from its grant to its end. The state is swapped
 * atomically, here alone: heartbeats, the watch, the holder and the closing client share
 * no lock, and each change is reported exactly once, by the thread that made it. These
 * are the transitions:
 *
 * <pre>
 * HELD      -&gt; KEPT       keep     the handle is closed before holdAtLeast is over
 * HELD      -&gt; RELEASING  release  the handle is closed, or its caller left before the grant
 * KEPT      -&gt; RELEASING  release  holdAtLeast is over
 * HELD/KEPT -&gt; RELEASING  close    the client closes; a lock that is HELD is lost with it
 * HELD      -&gt; ENDED      detach   the lock is left to its token
 * HELD/KEPT -&gt; ENDED      update   the lock is lost
 * RELEASING -&gt; ENDED      end      released, left until its lease ends, found lost, or failed
 * ENDED     -&gt; ENDED      repeat   a failed release is repeated
 * ENDED     -&gt; ENDED      reclaim  the item of an expired lease is released
 * </pre>
 *
 * Thread-safe.
 */
@SuppressWarnings("ReferenceEquality") // one state or ending is not another, however
										// equal
final class LeaseState {

	private final AtomicReference<Current> current;

	private final Changes changes;

	LeaseState(HeldLease lease, Changes changes) {
		this.current = new AtomicReference<>(new Current(Stage.HELD, lease, null, null));
		this.changes = changes;
	}

	Current current() {
		return Objects.requireNonNull(this.current.get());
	}

	HeldLease get() {
		return current().lease();
	}

	/**
	 * The lease at a time. Reading that a lease is over makes it so: a late answer cannot
	 * revive a lease that a caller was told is lost.
	 */
	HeldLease at(ClockReading now) {
		return update((lease) -> lease.at(now));
	}

	/**
	 * Changes the lease.
	 * @param change gives the next lease; may be called more than once
	 * @return the next lease
	 */
	HeldLease update(UnaryOperator<HeldLease> change) {
		return Objects.requireNonNull(swap((before) -> before.with(change.apply(before.lease())))).lease();
	}

	/**
	 * Closes the handle, and keeps the lock. What keeps a lock for its holdAtLeast alone
	 * is not bound by holdAtMost.
	 * @param request how to release the lock later
	 * @return whether the handle was open
	 */
	boolean keep(ReleaseRequest request) {
		return swap((before) -> (before.stage() != Stage.HELD) ? null
				: new Current(Stage.KEPT, before.lease().limited(HeldLease.UNLIMITED), request, null)) != null;
	}

	/**
	 * Begins the release. Of all who try, one succeeds.
	 * @param from the stage that the lock must be in
	 * @param operation gives what releases it; may be called more than once
	 * @return what to run, or {@code null} if the lock is in another stage
	 */
	@Nullable Ending release(Stage from, Function<Current, Operation> operation) {
		return ending((before) -> (before.stage() != from) ? null
				: before.releasing(before.lease().ending(), operation.apply(before)));
	}

	/**
	 * Ends a lock because its client closes.
	 * @param operation gives what to do with it, or {@code null} to leave it as it is
	 * @return what to run, or {@code null} if the lock is not kept any more
	 */
	@Nullable Ending close(Function<Current, @Nullable Operation> operation) {
		return ending((before) -> {
			if (!before.isKept()) {
				return null;
			}
			HeldLease lease = before.lease();
			return before.releasing((before.stage() == Stage.HELD) ? lease.lost(LossReason.CLOSED) : lease.ending(),
					operation.apply(before));
		});
	}

	/**
	 * Ends a lock that is held and is certainly as the table has it.
	 * @return the ended lease, or {@code null} if the lock is not so
	 */
	@Nullable HeldLease detach() {
		Current detached = swap((before) -> (before.stage() != Stage.HELD || !before.lease().isConfirmed()) ? null
				: before.ended(before.lease().ending(), Ending.DETACHED));
		return (detached != null) ? detached.lease() : null;
	}

	/**
	 * Ends a release.
	 * @param ending the release
	 * @param found the loss that it found, or {@code null}
	 * @return the lease
	 */
	HeldLease end(Ending ending, @Nullable LossReason found) {
		Ending ended = new Ending(ending.operation(), ending.outcome(), found);
		swap((before) -> (before.ending() != ending) ? null : before.ended(before.lease(), ended));
		return get();
	}

	/**
	 * Repeats a failed release. Of all who try, one succeeds.
	 * @return what to run, or {@code null} if another thread repeats it
	 */
	@Nullable Ending repeat(Ending failed) {
		return ending((before) -> (before.ending() != failed) ? null
				: before.ended(before.lease(), Ending.of(failed.operation())));
	}

	/**
	 * Claims the release of what an expired lease has left in the table. Of all who try,
	 * one succeeds.
	 * @param operation gives what releases it
	 * @return what to run, or {@code null} if there is nothing to release
	 */
	@Nullable Ending reclaim(Function<Current, Operation> operation) {
		return ending((before) -> (before.ending() != Ending.LOST || !before.lease().mayStillBeInTable()) ? null
				: before.ended(before.lease(), new Ending(operation.apply(before), Ending.LOST.outcome(), null)));
	}

	private @Nullable Ending ending(Function<Current, @Nullable Current> transition) {
		Current after = swap(transition);
		return (after != null) ? after.ending() : null;
	}

	/** Makes a transition, unless it gives {@code null} for the state as it is. */
	private @Nullable Current swap(Function<Current, @Nullable Current> transition) {
		while (true) {
			Current before = current();
			Current after = transition.apply(before);
			if (after == null || after == before) {
				return after;
			}
			if (this.current.compareAndSet(before, after)) {
				Callbacks.deferredDuring(() -> report(before, after));
				return after;
			}
		}
	}

	private void report(Current before, Current after) {
		HeldLease lease = after.lease();
		if (before.isKept() && !after.isKept()) {
			this.changes.stopped();
		}
		if (before.lease().lossReason() == null && lease.lossReason() != null) {
			this.changes.lost(lease.lossReason());
		}
		else if (!before.lease().isExpiring() && lease.isExpiring()) {
			this.changes.expiring();
		}
		else if (before.lease().isExpiring() && lease.isKept() && !lease.isExpiring()) {
			this.changes.recovered();
		}
		// A lease that recovers late may be expiring again before it would have been
		// lost.
		if (after.isKept() && lease.changesAt() < before.lease().changesAt()) {
			this.changes.sooner();
		}
		if (before.stage() != Stage.ENDED && after.stage() == Stage.ENDED) {
			this.changes.ended();
		}
	}

	/**
	 * Receives changes on the thread that made them; does not block.
	 */
	interface Changes {

		/** The lock left HELD and KEPT: heartbeats and timers stop. */
		void stopped();

		void lost(LossReason reason);

		void expiring();

		void recovered();

		/** The lease will be expiring or lost sooner than it seemed. */
		void sooner();

		/** The client does not hold the lock any more. */
		void ended();

	}

	/**
	 * The stages of a granted lock.
	 */
	enum Stage {

		/** The holder has the lock, and heartbeats keep it. */
		HELD,

		/** The handle is closed, and the client keeps the lock for holdAtLeast. */
		KEPT,

		/** The lock is being released, or left until its lease ends. */
		RELEASING,

		/** The client does not hold the lock any more, as far as it knows. */
		ENDED

	}

	/**
	 * The state at one moment.
	 *
	 * @param stage the stage
	 * @param lease the lease, which is kept if the stage is HELD or KEPT
	 * @param keptFor how to release a lock that is KEPT
	 * @param ending how a lock that is RELEASING or ENDED ends
	 */
	record Current(Stage stage, HeldLease lease, @Nullable ReleaseRequest keptFor, @Nullable Ending ending) {

		boolean isKept() {
			return this.stage == Stage.HELD || this.stage == Stage.KEPT;
		}

		boolean isDetached() {
			return this.ending == Ending.DETACHED;
		}

		@Nullable LossReason lossReason() {
			LossReason reason = this.lease.lossReason();
			return (reason != null || this.ending == null) ? reason : this.ending.lossFound();
		}

		private Current with(HeldLease next) {
			if (next == this.lease) {
				return this;
			}
			return (isKept() && next.lossReason() != null) ? ended(next, Ending.LOST)
					: new Current(this.stage, next, this.keptFor, this.ending);
		}

		private Current releasing(HeldLease next, @Nullable Operation operation) {
			return new Current(Stage.RELEASING, next, null, Ending.of(operation));
		}

		private Current ended(HeldLease next, Ending how) {
			return new Current(Stage.ENDED, next, null, how);
		}

	}

	/**
	 * How a lock ends.
	 *
	 * @param operation what is done in the table, or {@code null} for nothing
	 * @param outcome what a release gives, completed at the end
	 * @param lossFound the loss that the release found, or {@code null}
	 */
	record Ending(@Nullable Operation operation, CompletableFuture<ReleaseOutcome> outcome,
			@Nullable LossReason lossFound) {

		static final Ending DETACHED = known(ReleaseOutcome.DETACHED);

		static final Ending LOST = known(ReleaseOutcome.LOST);

		private static Ending known(ReleaseOutcome outcome) {
			return new Ending(null, CompletableFuture.completedFuture(outcome), null);
		}

		private static Ending of(@Nullable Operation operation) {
			return new Ending(operation, new CompletableFuture<>(), null);
		}

	}

}
