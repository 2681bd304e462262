/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Conversation;
import io.github.dynamodblock.protocol.HeartbeatPace;
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
final class LeaseLife implements LeaseState.Changes, HeartbeatLoop.Events {

	private static final Logger logger = LoggerFactory.getLogger(LeaseLife.class);

	private final LeaseState state;

	private final Environment environment;

	private final LeaseEnding ending;

	private final HeartbeatLoop heartbeats;

	private final LeaseWatch watch;

	private final HeldLock lock;

	private final Notifications notifications;

	private final Runnable over;

	/** Whether the holder has given the lock back; the client may keep it a while. */
	private final AtomicBoolean givenBack = new AtomicBoolean();

	/** Whether the holder has ever had the lock in hand. */
	private volatile boolean begun;

	/** Why the lease was lost, once that is known. */
	private volatile @Nullable LossReason lossReason;

	/** The release, once it has begun. */
	private volatile @Nullable Release release;

	/** Completed when nothing more is sent to keep or to free the lock. */
	private final CompletableFuture<ReleaseOutcome> ended = new CompletableFuture<>();

	/**
	 * A lease that has just been granted.
	 * @param lease its state
	 * @param ending how it is to end
	 * @param environment what to run on
	 * @param pace the pace of the client's heartbeats
	 * @param lock the holder's handle
	 * @param notifications how to tell listeners
	 * @param over what to do when this client holds the lock no more
	 */
	LeaseLife(HeldLease lease, LeaseEnding ending, Environment environment, HeartbeatPace pace, HeldLock lock,
			Notifications notifications, Runnable over) {
		this.state = new LeaseState(lease, this);
		this.environment = environment;
		this.ending = ending;
		this.heartbeats = new HeartbeatLoop(this.state, environment, pace, ending.automaticRenewal(), this);
		this.watch = new LeaseWatch(this.state, environment);
		this.lock = lock;
		this.notifications = notifications;
		this.over = over;
	}

	void begin() {
		this.begun = true;
		tell(LockListener::onAcquired);
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
	CompletableFuture<HeldLease> renew(@Nullable Duration leaseDuration, ItemChange change) {
		return this.heartbeats.demand(leaseDuration, change);
	}

	/**
	 * Gives the lock back on behalf of its holder.
	 * @param deleteItem whether to delete the lock's item
	 * @param change what happens to data and attributes
	 * @return what happens, completed with an exception if that stays unknown
	 */
	CompletableFuture<ReleaseOutcome> giveBack(boolean deleteItem, ItemChange change) {
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
			return giveBackAgain();
		}
		long rest = holdRest();
		if (rest > 0) {
			this.environment.timer()
				.schedule(rest, () -> release(deleteItem, change, this.environment.calls(), this::finishInBackground));
			return CompletableFuture.completedFuture(ReleaseOutcome.KEPT);
		}
		release(deleteItem, change, this.environment.calls(), this::finish);
		return this.ended;
	}

	private CompletableFuture<ReleaseOutcome> giveBackAgain() {
		Release before = this.release;
		if (this.ended.isCompletedExceptionally() && before != null) {
			CompletableFuture<ReleaseOutcome> again = new CompletableFuture<>();
			converse(before, this.environment.calls(), (end) -> LeaseEnding.complete(again, end));
			return again;
		}
		if (!this.ended.isDone() && before == null) {
			return CompletableFuture.completedFuture(ReleaseOutcome.ALREADY_RELEASED);
		}
		return this.ended.thenApply((outcome) -> switch (outcome) {
			case LOST, DETACHED -> outcome;
			default -> ReleaseOutcome.ALREADY_RELEASED;
		});
	}

	/**
	 * Ends the handle, and leaves the lock to whoever presents its token.
	 * @return the token, or the lease if it was not kept any more
	 */
	CompletableFuture<HeldLease> detach() {
		present();
		HeldLease last = this.state.end((lease) -> lease.isConfirmed() ? lease.ending() : lease);
		if (last == null) {
			return CompletableFuture.completedFuture(last());
		}
		if (last.isKept()) {
			return renew(null, ItemChange.none()).thenCompose((renewed) -> detach());
		}
		this.givenBack.set(true);
		stopKeeping();
		this.over.run();
		this.ended.complete(ReleaseOutcome.DETACHED);
		tell(LockListener::onDetached);
		return CompletableFuture.completedFuture(last);
	}

	boolean isDetached() {
		return this.ended.getNow(ReleaseOutcome.KEPT) == ReleaseOutcome.DETACHED;
	}

	/**
	 * Frees a lock that its holder never had in hand, however long it was to be held.
	 */
	void discard() {
		this.givenBack.set(true);
		release(this.ending.deleteItem(), ItemChange.none(), this.environment.calls(), this::finishInBackground);
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
		HeldLease last = this.state
			.end((lease) -> this.givenBack.get() ? lease.ending() : lease.lost(LossReason.CLOSED));
		if (last == null) {
			if (expired.lossReason() == LossReason.EXPIRED && releases && this.givenBack.compareAndSet(false, true)) {
				freeWhatIsLeft(expired);
			}
			return this.ended;
		}
		stopKeeping();
		if (releases) {
			long rest = holdRest();
			// Of many locks, only so many are released at once.
			converse(
					(rest > 0) ? new Leaving(last, Duration.ofNanos(rest), this.environment.randomness())
							: releaseOf(last, this.ending.deleteItem(), ItemChange.none()),
					this.environment.heartbeats(), this::finishInBackground);
		}
		else {
			finish(new Step.Settled());
		}
		return this.ended;
	}

	void environmentClosed() {
		this.ended.completeExceptionally(new LockClientClosedException(last().record().ownerName()));
	}

	@Override
	public void lost(LossReason reason) {
		stopKeeping();
		tell((listener, held) -> listener.onLost(held, reason));
		if (reason != LossReason.CLOSED) {
			finish(Step.Released.lost(reason));
		}
	}

	@Override
	public void inDanger() {
		tell(LockListener::onInDanger);
	}

	@Override
	public void recovered() {
		tell(LockListener::onRecovered);
	}

	@Override
	public void sooner() {
		if (this.begun) {
			this.watch.look();
		}
	}

	@Override
	public void renewed() {
		tell(LockListener::onRenewed);
	}

	@Override
	public void renewalFailed(Throwable cause) {
		tell((listener, held) -> listener.onRenewalFailed(held, cause));
	}

	/** Nobody is told of a lock that its holder never had in hand. */
	private void tell(BiConsumer<LockListener, HeldLock> event) {
		if (this.begun) {
			this.notifications.tell((listener) -> event.accept(listener, this.lock));
		}
	}

	private void release(boolean deleteItem, ItemChange change, StoreCalls calls, Consumer<Step.End> end) {
		HeldLease last = this.state.end((lease) -> lease.at(this.environment.now()).ending());
		if (last != null && last.lossReason() == null) {
			stopKeeping();
			converse(releaseOf(last, deleteItem, change), calls, end);
		}
	}

	/** Best effort, so that nobody has to wait for the rest of an expired lease. */
	private void freeWhatIsLeft(HeldLease lease) {
		converse(releaseOf(lease, this.ending.deleteItem(), ItemChange.none()), this.environment.calls(),
				(end) -> logger.debug("What was left of expired lock '{}' was released: {}", lease.key(), end));
	}

	private Release releaseOf(HeldLease lease, boolean deleteItem, ItemChange change) {
		Release release = new Release(lease, deleteItem, change, this.environment.randomness(), this.environment.now());
		this.release = release;
		return release;
	}

	private void converse(Conversation conversation, StoreCalls calls, Consumer<Step.End> end) {
		new ConversationRunner(conversation, this.environment, calls, end).begin();
	}

	private void stopKeeping() {
		this.heartbeats.end();
		this.watch.end();
	}

	private long holdRest() {
		return this.ending.holdUntil() - this.environment.now().holderNanos();
	}

	private void finish(Step.End end) {
		this.over.run();
		if (end instanceof Step.Released released) {
			this.lossReason = released.lossReason();
			LossReason foundByRelease = (last().lossReason() == null) ? released.lossReason() : null;
			if (foundByRelease != null) {
				tell((listener, held) -> listener.onLost(held, foundByRelease));
			}
			else if (released.outcome() == ReleaseOutcome.RELEASED && this.givenBack.get()) {
				tell(LockListener::onReleased);
			}
		}
		LeaseEnding.complete(this.ended, end);
	}

	/** Nobody else would hear of a failure. */
	private void finishInBackground(Step.End end) {
		finish(end);
		if (end instanceof Step.Failed failed) {
			logger.warn("{}", failed.failure().getMessage(), failed.failure());
		}
	}

}
