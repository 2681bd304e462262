/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.Transaction;
import io.github.dynamodblock.protocol.lease.GuardedWrite;
import io.github.dynamodblock.protocol.lease.HeldLease;
import io.github.dynamodblock.protocol.lease.LastWrite;
import io.github.dynamodblock.protocol.lease.Release;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCalls;
import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the transitions of {@link LeaseState} for one granted lock: heartbeats and
 * the watch while it is HELD or KEPT, the release while it is RELEASING, and reports of
 * all. Thread-safe.
 */
final class LeaseLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(LeaseLifecycle.class);

	private final LeaseState state;

	private final HoldTerms terms;

	private final ClientState client;

	private final ItemCalls itemCalls = new ItemCalls();

	private final HeartbeatLoop heartbeats;

	private final LeaseWatch watch;

	private final LeaseEvents events;

	private final Runnable ended;

	/** Releases a lock that is KEPT when holdAtLeast is over. */
	private volatile Timer.@Nullable Task laterRelease;

	/**
	 * Creates the lifecycle of a lock that has just been granted.
	 * @param ended runs when this client no longer holds the lock
	 */
	LeaseLifecycle(HeldLease lease, HoldTerms terms, ClientState client, LeaseEvents events, Runnable ended) {
		this.state = new LeaseState(lease.limited(terms.limit()), this::changed);
		this.terms = terms;
		this.client = client;
		this.events = events;
		this.heartbeats = new HeartbeatLoop(this.state, client, terms.automaticRenewal(), this.itemCalls, events);
		this.watch = new LeaseWatch(this.state, client.environment());
		this.ended = ended;
	}

	void begin() {
		this.events.begin();
		this.heartbeats.begin();
		this.watch.look();
	}

	HoldTerms terms() {
		return this.terms;
	}

	HeartbeatLoop heartbeats() {
		return this.heartbeats;
	}

	LeaseState.Current last() {
		return this.state.current();
	}

	LeaseState.Current present() {
		return at(this.client.environment().now());
	}

	LeaseState.Current at(ClockReading now) {
		this.state.at(now);
		return last();
	}

	/** A later grant to this client shows that this lease is lost. */
	void superseded() {
		this.state.update((lease) -> lease.lost(LossReason.STOLEN));
	}

	/**
	 * Commits a transaction if the lock is held.
	 * @return how that ended; fails only if the client is closed meanwhile
	 */
	CompletableFuture<Step.End> commit(Transaction transaction) {
		CompletableFuture<Step.End> ended = this.client.pendingFutures().make();
		Environment environment = this.client.environment();
		GuardedWrite write = new GuardedWrite(this::leaseOfHandle, transaction, environment.randomness());
		StoreCalls calls = this.itemCalls.behindHeartbeats(environment.calls());
		new OperationRunner(write, environment, calls, (end) -> {
			if (end instanceof Step.Lost lost) {
				this.state.update((lease) -> lease.lost(lost.reason()));
			}
			ended.complete(end);
		}).begin();
		return ended;
	}

	/** The lease, which is not kept for a handle that is closed. */
	private HeldLease leaseOfHandle() {
		LeaseState.Current current = last();
		return (current.stage() == LeaseState.Stage.HELD) ? current.lease() : current.lease().ending();
	}

	/**
	 * Closes the handle on behalf of its holder.
	 * @return the outcome; fails if it stays unknown
	 */
	CompletableFuture<ReleaseOutcome> release(ReleaseRequest request, StoreCalls calls) {
		// First, so that a lease that has expired is reported as a loss.
		present();
		long rest = holdRest();
		if (rest > 0 && this.state.keep(request)) {
			releaseLater(rest);
			return CompletableFuture.completedFuture(ReleaseOutcome.KEPT);
		}
		LeaseState.Ending release = this.state.release(LeaseState.Stage.HELD,
				(held) -> releaseOf(held.lease(), request));
		return (release != null) ? run(release, calls) : releaseAgain(request);
	}

	private void releaseLater(long delayNanos) {
		this.laterRelease = this.client.environment().timer().schedule(delayNanos, this::releaseKept);
		if (!last().isKept()) {
			// Lost a race with the end: cancel this timer.
			stopTimers();
		}
	}

	private void releaseKept() {
		present();
		runInBackground(this.state.release(LeaseState.Stage.KEPT,
				(kept) -> releaseOf(kept.lease(), Objects.requireNonNull(kept.keptFor()))));
	}

	/** Releases a lock that its holder never received, whatever its holdAtLeast. */
	void discard() {
		present();
		ReleaseRequest undoing = ReleaseRequest.create().change(this.terms.undo());
		runInBackground(this.state.release(LeaseState.Stage.HELD, (held) -> releaseOf(held.lease(), undoing)));
		// Instead, if its lease was over.
		reclaim(undoing);
	}

	/** Releases a lock whose handle is closed or that was lost. */
	private CompletableFuture<ReleaseOutcome> releaseAgain(ReleaseRequest request) {
		LeaseState.Current last = last();
		LeaseState.Ending ending = last.ending();
		if (last.lossReason() != null) {
			reclaim(request);
			// The caller's process may end next: the item is released before.
			return Objects.requireNonNull(last().ending()).outcome().exceptionally((problem) -> ReleaseOutcome.LOST);
		}
		if (ending == null) {
			return CompletableFuture.completedFuture(ReleaseOutcome.ALREADY_RELEASED);
		}
		if (last.stage() == LeaseState.Stage.ENDED && ending.outcome().isCompletedExceptionally()
				&& ending.operation() instanceof Release failed) {
			return repeat(ending, failed, request);
		}
		return ending.outcome().thenApply((outcome) -> switch (outcome) {
			case LOST, DETACHED -> outcome;
			default -> ReleaseOutcome.ALREADY_RELEASED;
		});
	}

	private CompletableFuture<ReleaseOutcome> repeat(LeaseState.Ending ending, Release release,
			ReleaseRequest request) {
		LeaseState.Ending again = this.state.repeat(ending, release);
		if (again == null) {
			return releaseAgain(request);
		}
		release.askAgain(deletesItem(request), request.change());
		return run(again, this.client.environment().promptCalls());
	}

	/** A best effort, so that no client waits for the rest of an expired lease. */
	private void reclaim(ReleaseRequest request) {
		runInBackground(this.state.reclaim((lost) -> releaseOf(lost.lease(), request)));
	}

	/**
	 * Ends the handle, and leaves the lock to its token.
	 * @return the lease, or {@code null} if it is not held or not confirmed
	 */
	@Nullable HeldLease detach() {
		present();
		HeldLease detached = this.state.detach();
		if (detached != null) {
			this.events.end(LockListener::onDetached);
		}
		return detached;
	}

	/**
	 * Ends the lock because its client closes.
	 * @param releases whether to release the lock, or to leave it until its lease ends
	 * @return completed when nothing more is sent for it
	 */
	CompletableFuture<ReleaseOutcome> clientClosed(boolean releases) {
		present();
		LeaseState.Ending ending = this.state
			.close((before) -> releases && (this.terms.releaseOnClose() || before.keptFor() != null) ? closing(before)
					: null);
		if (ending == null) {
			if (releases && this.terms.releaseOnClose()) {
				reclaim(ReleaseRequest.create());
			}
			return Objects.requireNonNull(last().ending()).outcome();
		}
		if (ending.operation() != null) {
			runInBackground(ending);
		}
		else {
			conclude(ending, new Step.Settled());
		}
		return ending.outcome();
	}

	private Operation closing(LeaseState.Current before) {
		ReleaseRequest kept = before.keptFor();
		long rest = holdRest();
		ReleaseRequest request = (kept != null) ? kept : ReleaseRequest.create();
		return (rest > 0) ? LastWrite.retain(before.lease(), Duration.ofNanos(rest), request.change(),
				this.client.environment().randomness()) : releaseOf(before.lease(), request);
	}

	private long holdRest() {
		return this.terms.holdUntil() - this.client.environment().now().holderNanos();
	}

	private Release releaseOf(HeldLease lease, ReleaseRequest request) {
		return new Release(lease, deletesItem(request), request.change(), this.client.environment().randomness());
	}

	private boolean deletesItem(ReleaseRequest request) {
		return request.deleteOnRelease().orElse(this.terms.deleteOnRelease());
	}

	private CompletableFuture<ReleaseOutcome> run(LeaseState.Ending ending, StoreCalls calls) {
		begin(ending, calls, (end) -> conclude(ending, end));
		return ending.outcome();
	}

	private void runInBackground(LeaseState.@Nullable Ending ending) {
		if (ending != null) {
			begin(ending, this.client.environment().promptCalls(), (end) -> {
				conclude(ending, end);
				if (end instanceof Step.Failed failed) {
					// No caller receives the failure.
					LockLog.warn(logger, failed.failure());
				}
			});
		}
	}

	private void begin(LeaseState.Ending ending, StoreCalls calls, Consumer<Step.End> end) {
		this.client.pendingFutures().add(ending.outcome());
		new OperationRunner(Objects.requireNonNull(ending.operation()), this.client.environment(), calls, end).begin();
	}

	private void conclude(LeaseState.Ending ending, Step.End end) {
		LossReason found = (end instanceof Step.Released released) ? released.lossReason() : null;
		boolean lost = this.state.end(ending, found).lossReason() != null;
		if (end instanceof Step.Failed failed) {
			// A listener that counts locks needs an end, although the outcome is unknown;
			// unless the lock was lost, which is reported already.
			this.events.end((listener, held) -> listener.onReleaseFailed(held, failed.failure()));
			ending.outcome().completeExceptionally(failed.failure());
		}
		else if (lost) {
			// All releases of the lock give the same.
			ending.outcome().complete(ReleaseOutcome.LOST);
		}
		else if (end instanceof Step.Released released) {
			if (found != null) {
				this.events.lost(found);
			}
			else {
				this.events.end(LockListener::onReleased);
			}
			ending.outcome().complete(released.outcome());
		}
		else {
			ending.outcome().complete(ReleaseOutcome.KEPT);
		}
	}

	private void changed(LeaseState.Current before, LeaseState.Current after) {
		HeldLease lease = after.lease();
		if (before.isKept() && !after.isKept()) {
			stopTimers();
		}
		if (before.lease().lossReason() == null && lease.lossReason() != null) {
			this.events.lost(lease.lossReason());
			// A lock that was not delivered is discarded instead.
			if (lease.lossReason() == LossReason.HELD_TOO_LONG && this.events.hasBegun()) {
				reclaim(ReleaseRequest.create().change(this.terms.changeAtLimit()));
			}
		}
		else if (!before.lease().isExpiring() && lease.isExpiring()) {
			this.events.expiring();
		}
		else if (before.lease().isExpiring() && lease.isKept() && !lease.isExpiring()) {
			this.events.recovered();
		}
		// A lease that recovers late may be expiring again before it would have been
		// lost.
		if (after.changesSoonerThan(before) && this.events.hasBegun()) {
			this.watch.look();
		}
		if (before.stage() != LeaseState.Stage.ENDED && after.stage() == LeaseState.Stage.ENDED) {
			this.ended.run();
		}
	}

	private void stopTimers() {
		this.heartbeats.end();
		this.watch.end();
		Timer.Task later = this.laterRelease;
		if (later != null) {
			later.cancel();
		}
	}

}
