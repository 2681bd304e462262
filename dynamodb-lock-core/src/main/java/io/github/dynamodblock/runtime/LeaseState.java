/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.lease.HeldLease;
import io.github.dynamodblock.runtime.environment.Callbacks;
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
@SuppressWarnings("ReferenceEquality") // an equal state or ending is another one
final class LeaseState {

	private final AtomicReference<Current> current;

	private final BiConsumer<Current, Current> changes;

	/**
	 * Creates the state of a lock that has just been granted.
	 * @param changes receives each state with the next one, on the thread that made the
	 * change; does not block
	 */
	LeaseState(HeldLease lease, BiConsumer<Current, Current> changes) {
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
	 * Returns the lease at a time. A reading that finds it over ends it: a late answer
	 * must not revive a lease that a caller saw as lost.
	 */
	HeldLease at(ClockReading now) {
		return update((lease) -> lease.at(now));
	}

	/**
	 * Changes the lease.
	 * @param change gives the next lease; may be called more than once
	 */
	HeldLease update(UnaryOperator<HeldLease> change) {
		return Objects.requireNonNull(swap((before) -> before.with(change.apply(before.lease())))).lease();
	}

	/**
	 * Closes the handle, and keeps the lock. From now on, holdAtMost does not apply.
	 * @param request how to release the lock later
	 * @return whether the handle was open
	 */
	boolean keep(ReleaseRequest request) {
		return swap((before) -> (before.stage() != Stage.HELD) ? null
				: new Current(Stage.KEPT, before.lease().limited(HeldLease.UNLIMITED), request, null)) != null;
	}

	/**
	 * Begins the release, of which there is one.
	 * @param from the stage that the lock must be in
	 * @param operation gives the release; may be called more than once
	 * @return the ending to run, or {@code null} if the lock is in another stage
	 */
	@Nullable Ending release(Stage from, Function<Current, Operation> operation) {
		return ending((before) -> (before.stage() != from) ? null
				: before.releasing(before.lease().ending(), operation.apply(before)));
	}

	/**
	 * Ends a lock because its client closes.
	 * @param operation gives the release, or {@code null} to leave the lock as it is
	 * @return the ending to run, or {@code null} if the lock is not HELD or KEPT
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
	 * Ends a lock that is held, and whose record in the table is known.
	 * @return the ended lease, or {@code null} if the lock is not held or not confirmed
	 */
	@Nullable HeldLease detach() {
		Current detached = swap((before) -> (before.stage() != Stage.HELD || !before.lease().isConfirmed()) ? null
				: before.ended(before.lease().ending(), Ending.DETACHED));
		return (detached != null) ? detached.lease() : null;
	}

	/**
	 * Ends a release.
	 * @param found the loss that the release found, or {@code null}
	 */
	HeldLease end(Ending ending, @Nullable LossReason found) {
		Ending ended = new Ending(ending.operation(), ending.outcome(), found);
		swap((before) -> (before.ending() != ending) ? null : before.ended(before.lease(), ended));
		return get();
	}

	/**
	 * Repeats a failed release.
	 * @param operation the release
	 * @return the ending to run, or {@code null} if another thread repeats it
	 */
	@Nullable Ending repeat(Ending failed, Operation operation) {
		return ending(
				(before) -> (before.ending() != failed) ? null : before.ended(before.lease(), Ending.of(operation)));
	}

	/**
	 * Begins the release of the item that an expired lease left, of which there is one
	 * that does not fail.
	 * @return the ending to run, or {@code null} if there is nothing to release
	 */
	@Nullable Ending reclaim(Function<Current, Operation> operation) {
		return ending((before) -> before.isReclaimable()
				? before.ended(before.lease(), Ending.of(operation.apply(before))) : null);
	}

	private @Nullable Ending ending(Function<Current, @Nullable Current> transition) {
		Current after = swap(transition);
		return (after != null) ? after.ending() : null;
	}

	/** Makes a transition; {@code null} leaves the state as it is. */
	private @Nullable Current swap(Function<Current, @Nullable Current> transition) {
		while (true) {
			Current before = current();
			Current after = transition.apply(before);
			if (after == null || after == before) {
				return after;
			}
			if (this.current.compareAndSet(before, after)) {
				Callbacks.deferredDuring(() -> this.changes.accept(before, after));
				return after;
			}
		}
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

		/** The client no longer holds the lock, as far as it knows. */
		ENDED

	}

	/**
	 * A state.
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

		/**
		 * Returns whether the lease will be expiring or lost sooner than it was before.
		 */
		boolean changesSoonerThan(Current before) {
			return isKept() && this.lease.changesAt() < before.lease.changesAt();
		}

		/**
		 * Returns whether an expired lease may have left an item that is not released.
		 */
		private boolean isReclaimable() {
			return this.ending != null && this.lease.mayStillBeInTable()
					&& (this.ending == Ending.LOST || this.ending.outcome().isCompletedExceptionally());
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
