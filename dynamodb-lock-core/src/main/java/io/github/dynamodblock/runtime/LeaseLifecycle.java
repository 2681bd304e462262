/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.HeldLease;
import io.github.dynamodblock.protocol.RetainUntilExpiry;
import io.github.dynamodblock.protocol.Release;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lease from its grant to its end: what keeps it, what watches over it, and the ways
 * in which it ends. It ends once, by its holder, by a loss or by the client's closing;
 * whoever is first decides. Thread-safe.
 */
final class LeaseLifecycle implements LeaseState.Changes {

	private static final Logger logger = LoggerFactory.getLogger(LeaseLifecycle.class);

	private final LeaseState state;

	private final Environment environment;

	private final PendingFutures pendingFutures;

	private final LeaseEnding ending;

	private final HeartbeatLoop heartbeats;

	private final LeaseWatch watch;

	private final LeaseEvents events;

	private final Runnable over;

	/** Frees a lock that was to be held longer than its holder needed it. */
	private volatile Timer.@Nullable Task laterRelease;

	/** Why the lease was lost, once that is known. */
	private volatile @Nullable LossReason lossReason;

	/** The release, once it has begun. */
	private volatile @Nullable Release release;

	/**
	 * Completed when nothing more is sent to keep or to free the lock. A new one follows
	 * one that failed, when the holder tries to release once more.
	 */
	private final AtomicReference<CompletableFuture<ReleaseOutcome>> ended;

	/**
	 * A lease that has just been granted.
	 * @param lease its state
	 * @param ending how it is to end
	 * @param client what the client's leases share
	 * @param events how to tell listeners
	 * @param over what to do when this client holds the lock no more
	 */
	LeaseLifecycle(HeldLease lease, LeaseEnding ending, ClientState client, LeaseEvents events, Runnable over) {
		this.state = new LeaseState(lease, this);
		this.environment = client.environment();
		this.pendingFutures = client.pendingFutures();
		this.ended = new AtomicReference<>(this.pendingFutures.make());
		this.ending = ending;
		this.events = events;
		this.heartbeats = new HeartbeatLoop(this.state, this.environment, client.pace(), client.observations(),
				ending.automaticRenewal(), events);
		this.watch = new LeaseWatch(this.state, this.environment);
		this.over = over;
	}

	void begin() {
		this.events.begin();
		this.heartbeats.begin();
		this.watch.look();
	}

	HeldLease last() {
		return this.state.get();
	}

	HeldLease present() {
		return this.state.at(this.environment.now());
	}

	/**
	 * Why the lease was lost, as a heartbeat, the watch or the release found.
	 */
	@Nullable LossReason lossReason() {
		LossReason reason = present().lossReason();
		return (reason != null) ? reason : this.lossReason;
	}

	boolean isHandleEnded() {
		return this.state.handleEnd() != null;
	}

	/**
	 * Sends a heartbeat now.
	 * @return completed with the lease when it is confirmed or the lease is not kept
	 */
	CompletableFuture<HeldLease> renew(@Nullable Duration leaseDuration, ItemChange change) {
		return this.heartbeats.demand(leaseDuration, change);
	}

	/**
	 * Gives the lock back on behalf of its holder.
	 * @param how how
	 * @param calls how to send the release
	 * @return what happens, completed with an exception if that stays unknown
	 */
	CompletableFuture<ReleaseOutcome> endHandle(HandleEnd how, StoreCalls calls) {
		// First, so that a loss which only shows now is told as one.
		HeldLease seen = present();
		long rest = holdRest();
		// In one step, so that nobody ends in another way what was given back.
		HeldLease given = this.state.endHandle(how, (rest > 0) ? LeaseLifecycle::keptInTime : HeldLease::ending);
		HeldLease lease = (given != null) ? given : seen;
		if (lease.lossReason() != null) {
			if (given != null && lease.mayStillBeInTable()) {
				freeWhatIsLeft(lease);
			}
			return CompletableFuture.completedFuture(ReleaseOutcome.LOST);
		}
		if (given == null) {
			return endHandleAgain(how);
		}
		if (rest > 0) {
			releaseLater(rest, how);
			return CompletableFuture.completedFuture(ReleaseOutcome.KEPT);
		}
		stopKeeping();
		converse(releaseOf(given, how), calls, this::finish);
		return ended();
	}

	/** A lock that only its {@code holdAtLeast} still keeps is not held too long. */
	private static HeldLease keptInTime(HeldLease lease) {
		return lease.limited(HeldLease.UNLIMITED);
	}

	private void releaseLater(long delayNanos, HandleEnd how) {
		this.laterRelease = this.environment.timer().schedule(delayNanos, () -> release(how));
		if (!last().isKept()) {
			// It ended meanwhile, and whoever ended it did not see this.
			stopKeeping();
		}
	}

	private CompletableFuture<ReleaseOutcome> endHandleAgain(HandleEnd how) {
		CompletableFuture<ReleaseOutcome> before = ended();
		Release failed = this.release;
		if (before.isCompletedExceptionally() && failed != null) {
			return releaseAgain(failed, before, how);
		}
		if (!before.isDone() && holdRest() > 0 && !isDetached()) {
			return CompletableFuture.completedFuture(ReleaseOutcome.ALREADY_RELEASED);
		}
		return before.thenApply((outcome) -> switch (outcome) {
			case LOST, DETACHED -> outcome;
			default -> ReleaseOutcome.ALREADY_RELEASED;
		});
	}

	/** Of all who try at once, one goes on with what is left of the release. */
	private CompletableFuture<ReleaseOutcome> releaseAgain(Release failed, CompletableFuture<ReleaseOutcome> before,
			HandleEnd how) {
		CompletableFuture<ReleaseOutcome> again = this.pendingFutures.make();
		if (!this.ended.compareAndSet(before, again)) {
			again.cancel(false);
			return endHandleAgain(how);
		}
		failed.askAgain(how.deleteItem(), how.change());
		converse(failed, this.environment.promptCalls(), (end) -> conclude(again, end));
		return again;
	}

	/**
	 * Ends the handle, and leaves the lock to whoever presents its token.
	 * @return the lease as the token has it; {@code null} if not kept or not confirmed
	 */
	@Nullable HeldLease detach() {
		present();
		HeldLease last = this.state.detach();
		if (last == null) {
			return null;
		}
		stopKeeping();
		this.over.run();
		ended().complete(ReleaseOutcome.DETACHED);
		this.events.end(LockListener::onDetached);
		return last;
	}

	boolean isDetached() {
		HandleEnd handleEnd = this.state.handleEnd();
		return handleEnd != null && handleEnd.detached();
	}

	/** Frees a lock that its holder never had, however long it was to be held. */
	void discard() {
		HandleEnd how = this.ending.byDefault();
		HeldLease last = this.state.endHandle(how, this::endingNow);
		if (last != null) {
			free(last, how);
		}
	}

	/** A later grant to this client shows that the lock is not this lease's any more. */
	void superseded() {
		this.state.update((lease) -> lease.lost(LossReason.STOLEN));
	}

	/**
	 * Ends the lease because its client closes.
	 * @param releases whether the lock is freed, or left until its lease ends
	 * @return completed when nothing more is sent for it
	 */
	CompletableFuture<ReleaseOutcome> clientClosed(boolean releases) {
		HeldLease expired = present();
		HeldLease last = this.state.end(HeldLease::ending, (lease) -> lease.lost(LossReason.CLOSED));
		if (last == null) {
			if (expired.mayStillBeInTable() && releases
					&& this.state.endHandle(this.ending.byDefault(), UnaryOperator.identity()) != null) {
				freeWhatIsLeft(expired);
			}
			return ended();
		}
		stopKeeping();
		if (releases) {
			leave(last);
		}
		else {
			finish(new Step.Settled());
		}
		return ended();
	}

	private void leave(HeldLease last) {
		HandleEnd how = (last.lossReason() == null) ? Objects.requireNonNull(this.state.handleEnd())
				: this.ending.byDefault();
		long rest = holdRest();
		Operation leaving = (rest > 0)
				? new RetainUntilExpiry(last, Duration.ofNanos(rest), how.change(), this.environment.randomness())
				: releaseOf(last, how);
		// Of many locks, only so many are released at once.
		converse(leaving, this.environment.promptCalls(), this::finishInBackground);
	}

	private CompletableFuture<ReleaseOutcome> ended() {
		return Objects.requireNonNull(this.ended.get());
	}

	@Override
	public void lost(LossReason reason) {
		stopKeeping();
		reportLoss(reason);
		if (reason != LossReason.CLOSED) {
			finish(Step.Released.lost(reason));
		}
	}

	@Override
	public void expiring() {
		this.events.expiring();
	}

	@Override
	public void recovered() {
		this.events.recovered();
	}

	@Override
	public void sooner() {
		if (this.events.hasBegun()) {
			this.watch.look();
		}
	}

	private void reportLoss(LossReason reason) {
		this.events.lost(reason);
	}

	private void release(HandleEnd how) {
		HeldLease last = this.state.end(this::endingNow);
		if (last != null) {
			free(last, how);
		}
	}

	private HeldLease endingNow(HeldLease lease) {
		return lease.at(this.environment.now()).ending();
	}

	private void free(HeldLease last, HandleEnd how) {
		if (last.lossReason() == null) {
			stopKeeping();
			converse(releaseOf(last, how), this.environment.promptCalls(), this::finishInBackground);
		}
	}

	/** Best effort, so that no client has to wait for the rest of the lease. */
	private void freeWhatIsLeft(HeldLease lease) {
		converse(releaseOf(lease, this.ending.byDefault()), this.environment.promptCalls(),
				(end) -> logger.debug("What was left of lost lock '{}' was released: {}", lease.key(), end));
	}

	private Release releaseOf(HeldLease lease, HandleEnd how) {
		Release release = new Release(lease, how.deleteItem(), how.change(), this.environment.randomness(),
				this.environment.now());
		this.release = release;
		return release;
	}

	private void converse(Operation operation, StoreCalls calls, Consumer<Step.End> end) {
		new OperationRunner(operation, this.environment, calls, end).begin();
	}

	private void stopKeeping() {
		this.heartbeats.end();
		this.watch.end();
		Timer.Task later = this.laterRelease;
		if (later != null) {
			later.cancel();
		}
	}

	private long holdRest() {
		return this.ending.holdUntil() - this.environment.now().holderNanos();
	}

	private void finish(Step.End end) {
		this.over.run();
		conclude(ended(), end);
	}

	private void conclude(CompletableFuture<ReleaseOutcome> outcome, Step.End end) {
		if (last().lossReason() != null) {
			// It has been told as lost, and whoever releases it is told the same.
			outcome.complete(ReleaseOutcome.LOST);
			return;
		}
		if (end instanceof Step.Released released) {
			this.lossReason = released.lossReason();
			if (released.lossReason() != null) {
				reportLoss(released.lossReason());
			}
			else if (released.outcome() == ReleaseOutcome.RELEASED && isHandleEnded()) {
				this.events.end(LockListener::onReleased);
			}
		}
		else if (end instanceof Step.Failed failed) {
			// Whoever counts leases must hear of this one's end, though not what it was.
			this.events.end((listener, held) -> listener.onReleaseFailed(held, failed.failure()));
		}
		LeaseEnding.complete(outcome, end);
	}

	/** Nobody else would hear of a failure. */
	private void finishInBackground(Step.End end) {
		finish(end);
		if (end instanceof Step.Failed failed) {
			LogText.warn(logger, failed.failure());
		}
	}

}
