/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Conversation;
import io.github.dynamodblock.protocol.HeldLease;
import io.github.dynamodblock.protocol.Leaving;
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
final class LeaseLife implements LeaseState.Changes {

	private static final Logger logger = LoggerFactory.getLogger(LeaseLife.class);

	private final LeaseState state;

	private final Environment environment;

	private final boolean deleteOnRelease;

	private final HeartbeatLoop heartbeats;

	private final LeaseWatch watch;

	private final Notifications notifications;

	private final long holdUntil;

	private final Runnable over;

	/** Whether the holder has given the lock back; the client may keep it a while. */
	private final AtomicBoolean givenBack = new AtomicBoolean();

	/** Whether the holder has ever had the lock in hand. */
	private volatile boolean begun;

	/** Why the lease was lost, once that is known. */
	private volatile @Nullable LossReason lossReason;

	/** Completed when nothing more is sent to keep or to free the lock. */
	private final CompletableFuture<ReleaseOutcome> ended = new CompletableFuture<>();

	/**
	 * A lease that has just been granted.
	 * @param lease its state
	 * @param deleteOnRelease whether a release deletes the lock's item
	 * @param holdUntil until when it is held even if given back, on the holder's clock
	 * @param environment what to run on
	 * @param notifications how to tell listeners
	 * @param over what to do when this client holds the lock no more
	 */
	LeaseLife(HeldLease lease, boolean deleteOnRelease, long holdUntil, Environment environment,
			Notifications notifications, Runnable over) {
		this.state = new LeaseState(lease, this);
		this.environment = environment;
		this.deleteOnRelease = deleteOnRelease;
		this.heartbeats = new HeartbeatLoop(this.state, environment);
		this.watch = new LeaseWatch(this.state, environment);
		this.notifications = notifications;
		this.holdUntil = holdUntil;
		this.over = over;
	}

	void begin() {
		this.begun = true;
		this.notifications.tell(LockListener::onAcquired);
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

	boolean isGivenBack() {
		return this.givenBack.get();
	}

	/**
	 * Sends a heartbeat now.
	 * @return completed with the lease when it is confirmed or the lease is not kept
	 */
	CompletableFuture<HeldLease> renew() {
		return this.heartbeats.demand();
	}

	/**
	 * Gives the lock back on behalf of its holder.
	 * @return what happens, completed with an exception if that stays unknown
	 */
	CompletableFuture<ReleaseOutcome> giveBack() {
		// First, so that a loss which only shows now is told as one.
		HeldLease lease = present();
		boolean first = this.givenBack.compareAndSet(false, true);
		if (lease.lossReason() != null) {
			if (first && lease.lossReason() == LossReason.EXPIRED) {
				freeWhatIsLeft(lease);
			}
			return CompletableFuture.completedFuture(ReleaseOutcome.LOST);
		}
		if (!first) {
			return CompletableFuture.completedFuture(ReleaseOutcome.ALREADY_RELEASED);
		}
		long rest = holdRest();
		if (rest > 0) {
			this.environment.timer().schedule(rest, this::releaseInBackground);
			return CompletableFuture.completedFuture(ReleaseOutcome.KEPT);
		}
		release(this::finish);
		return this.ended;
	}

	/**
	 * Frees a lock that its holder never had in hand, however long it was to be held.
	 */
	void discard() {
		this.givenBack.set(true);
		releaseInBackground();
	}

	/**
	 * Ends the lease because its client closes.
	 * @return completed when nothing more is sent for it
	 */
	CompletableFuture<ReleaseOutcome> clientClosed() {
		HeldLease last = this.state
			.end((lease) -> this.givenBack.get() ? lease.ending() : lease.lost(LossReason.CLOSED));
		if (last != null) {
			stopKeeping();
			long rest = holdRest();
			converse((rest > 0) ? new Leaving(last, Duration.ofNanos(rest), this.environment.randomness())
					: releaseOf(last), this::finishInBackground);
		}
		return this.ended;
	}

	void environmentClosed() {
		this.ended.completeExceptionally(new LockClientClosedException(last().record().ownerName()));
	}

	@Override
	public void lost(LossReason reason) {
		stopKeeping();
		if (!this.givenBack.get()) {
			this.notifications.tell((listener, lock) -> listener.onLost(lock, reason));
		}
		if (reason != LossReason.CLOSED) {
			finish(Step.Released.lost(reason));
		}
	}

	@Override
	public void inDanger() {
		this.notifications.tell(LockListener::onInDanger);
	}

	@Override
	public void recovered() {
		this.notifications.tell(LockListener::onRecovered);
	}

	private void releaseInBackground() {
		release(this::finishInBackground);
	}

	private void release(Consumer<Step.End> end) {
		HeldLease last = this.state.end((lease) -> lease.at(this.environment.now()).ending());
		if (last != null && last.lossReason() == null) {
			stopKeeping();
			converse(releaseOf(last), end);
		}
	}

	/** Best effort, so that nobody has to wait for the rest of an expired lease. */
	private void freeWhatIsLeft(HeldLease lease) {
		converse(releaseOf(lease),
				(end) -> logger.debug("What was left of expired lock '{}' was released: {}", lease.key(), end));
	}

	private Conversation releaseOf(HeldLease lease) {
		return new Release(lease, this.deleteOnRelease, this.environment.randomness(), this.environment.now());
	}

	private void converse(Conversation conversation, Consumer<Step.End> end) {
		new ConversationRunner(conversation, this.environment, end).begin();
	}

	private void stopKeeping() {
		this.heartbeats.end();
		this.watch.end();
	}

	private long holdRest() {
		return this.holdUntil - this.environment.now().holderNanos();
	}

	private void finish(Step.End end) {
		this.over.run();
		if (end instanceof Step.Failed failed) {
			this.ended.completeExceptionally(failed.failure());
			return;
		}
		this.lossReason = (end instanceof Step.Released released) ? released.lossReason() : null;
		ReleaseOutcome outcome = (end instanceof Step.Released released) ? released.outcome() : ReleaseOutcome.KEPT;
		if (outcome == ReleaseOutcome.RELEASED && this.givenBack.get() && this.begun) {
			this.notifications.tell(LockListener::onReleased);
		}
		this.ended.complete(outcome);
	}

	/** Nobody else would hear of a failure. */
	private void finishInBackground(Step.End end) {
		finish(end);
		if (end instanceof Step.Failed failed) {
			logger.warn("{}", failed.failure().getMessage(), failed.failure());
		}
	}

}
