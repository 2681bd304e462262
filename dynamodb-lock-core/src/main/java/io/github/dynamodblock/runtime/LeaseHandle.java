/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.Transaction;
import io.github.dynamodblock.protocol.lease.HeldLease;
import io.github.dynamodblock.runtime.environment.StoreCalls;
import io.github.dynamodblock.store.ItemTransaction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/**
 * The handle of a granted lock.
 */
final class LeaseHandle implements HeldLock {

	private static final Logger logger = LoggerFactory.getLogger(LeaseHandle.class);

	private static final Duration LONGEST_CALL = Duration.ofNanos(Step.Call.LONGEST_NANOS);

	private final ClientState client;

	private final LeaseLifecycle lifecycle;

	/** Before its claim was sent, on {@link ClockReading#holderNanos()}. */
	private final long claimedAt;

	LeaseHandle(HeldLease lease, HoldTerms terms, ClientState client, ListenerDispatcher.Notifications notifications) {
		this.client = client;
		this.claimedAt = lease.deadline() - lease.terms().validityNanos();
		this.lifecycle = new LeaseLifecycle(lease, terms, client, new LeaseEvents(this, notifications, client.log()),
				this::ended);
		client.fairness()
			.granted(lease.key(), lease.fencingToken(), terms.deleteOnRelease(), client.environment().now());
	}

	/**
	 * Begins to renew the lock, which its holder has received.
	 */
	void begin() {
		this.lifecycle.begin();
	}

	/**
	 * Begins to release the lock.
	 * @return the outcome; fails if it stays unknown
	 */
	CompletableFuture<ReleaseOutcome> beginRelease(ReleaseRequest request) {
		return beginRelease(request, this.client.environment().promptCalls());
	}

	private CompletableFuture<ReleaseOutcome> beginRelease(ReleaseRequest request, StoreCalls calls) {
		checkChange(request.change());
		return this.lifecycle.release(request, calls);
	}

	/**
	 * Releases a lock that its caller did not receive.
	 */
	void discard() {
		this.lifecycle.discard();
	}

	/**
	 * Returns whether another handle of this lock was granted after this one: each claim
	 * was sent after the grant before. Fencing tokens do not show it, since they restart
	 * when the item was deleted.
	 */
	boolean isOlderThan(LeaseHandle other) {
		return this.claimedAt - other.claimedAt < 0;
	}

	/**
	 * Ends a lock that a later grant to this client shows to be lost.
	 */
	void superseded() {
		this.lifecycle.superseded();
	}

	/**
	 * Ends the lock because the client closes.
	 * @param releases whether to release the lock, or to leave it until its lease ends
	 * @return completed when nothing more is sent for it
	 */
	CompletableFuture<ReleaseOutcome> clientClosed(boolean releases) {
		return this.lifecycle.clientClosed(releases);
	}

	/**
	 * Returns the lease without reading the clock, which could make it lost.
	 */
	HeldLease last() {
		return this.lifecycle.last().lease();
	}

	@Override
	public LockKey key() {
		return last().key();
	}

	@Override
	public Optional<String> name() {
		return Optional.ofNullable(this.lifecycle.terms().name());
	}

	@Override
	public long fencingToken() {
		return last().fencingToken();
	}

	@Override
	public boolean isHeld() {
		return isHeldAt(this.client.environment().now());
	}

	boolean isHeldAt(ClockReading now) {
		return this.lifecycle.at(now).stage() == LeaseState.Stage.HELD;
	}

	@Override
	public boolean isExpiring() {
		return isHeld() && last().isExpiring();
	}

	@Override
	public boolean isAutomaticallyRenewed() {
		return this.lifecycle.terms().automaticRenewal();
	}

	@Override
	public Duration remaining() {
		ClockReading now = this.client.environment().now();
		return isHeld() ? Duration.ofNanos(Math.max(0, last().lostAt() - now.holderNanos())) : Duration.ZERO;
	}

	@Override
	public void ensureHeld() {
		ensureHeld(this.lifecycle.present());
	}

	private void ensureHeld(LeaseState.Current state) {
		LossReason lossReason = state.lease().lossReason();
		if (lossReason != null) {
			throw new LockLostException(key(), lossReason, fencingToken());
		}
		if (state.stage() != LeaseState.Stage.HELD) {
			throw new IllegalStateException("Lock '" + key() + "' was "
					+ (state.isDetached() ? "detached from" : "released by") + " this handle");
		}
	}

	@Override
	public Optional<LossReason> lossReason() {
		return Optional.ofNullable(this.lifecycle.present().lossReason());
	}

	@Override
	public LockRecord record() {
		return last().record();
	}

	@Override
	public Duration acquisitionTime() {
		return this.lifecycle.terms().acquisitionTime();
	}

	@Override
	public void renew(RenewRequest request) throws InterruptedException {
		ensureHeld();
		checkChange(request.change());
		Waiting.interruptibly(demand(request));
		ensureHeld(this.lifecycle.last());
	}

	@Override
	public CompletableFuture<Void> renewAsync(RenewRequest request) {
		checkChange(request.change());
		CompletableFuture<HeldLease> renewed = isHeld() ? demand(request) : CompletableFuture.completedFuture(last());
		return onDefaultExecutor(renewed.thenAccept((lease) -> ensureHeld()));
	}

	/**
	 * Sends a heartbeat without waiting for it.
	 * @return completed with the lease when it is confirmed or the lease is not kept
	 */
	CompletableFuture<HeldLease> demand(RenewRequest request) {
		return this.lifecycle.heartbeats().demand(request);
	}

	private void checkChange(ItemChange change) {
		// Without a change, any item is accepted.
		if (!change.isNone()) {
			HeldLease lease = last();
			this.client.settings().rules().checkChange(lease.record(), change, lease.expected(change));
		}
	}

	@Override
	public TransactWriteItemsResponse transactWrite(TransactWriteItemsRequest request) throws InterruptedException {
		ItemTransaction transaction = this.client.settings().rules().transaction(key(), request);
		ensureHeld();
		Step.End end = Waiting.interruptibly(commit(transaction));
		if (end instanceof Step.Committed committed) {
			return (TransactWriteItemsResponse) committed.response();
		}
		if (end instanceof Step.Cancelled cancelled) {
			throw cancelled.cancellation();
		}
		if (end instanceof Step.Failed failed) {
			throw Refusals.again(failed.failure());
		}
		// Reads the clock, since the watch may not have reported yet that the lease
		// ended.
		ensureHeld();
		throw new IllegalStateException("The guarded write of lock '" + key() + "' ended unexpectedly: " + end);
	}

	/**
	 * Commits a transaction if the lock is held, without waiting for it.
	 * @return how that ended; fails only if the client is closed meanwhile
	 */
	CompletableFuture<Step.End> commit(Transaction transaction) {
		return this.lifecycle.commit(transaction);
	}

	@Override
	public ConditionCheck conditionCheck() {
		HeldLease lease = last();
		return this.client.settings()
			.rules()
			.conditionCheck(new Guard(lease.key(), lease.record().ownerName(), lease.fencingToken()));
	}

	@Override
	public LockToken detach() throws InterruptedException {
		LockToken token = detachIfConfirmed();
		while (token == null) {
			Waiting.interruptibly(demand(RenewRequest.create()));
			// Not in the wait: a caller that is interrupted keeps the lock.
			token = detachIfConfirmed();
		}
		return token;
	}

	/**
	 * Ends this handle without releasing the lock, unless a heartbeat has to be confirmed
	 * first.
	 * @return the token, or {@code null}
	 */
	@Nullable LockToken detachIfConfirmed() {
		ensureHeld();
		HeldLease detached = this.lifecycle.detach();
		if (detached != null) {
			return detached.token();
		}
		// Lost a race with another end: there is no heartbeat to wait for.
		ensureHeld();
		return null;
	}

	@Override
	public ReleaseOutcome release(ReleaseRequest request) {
		// A caller that waits longer than a call may take can send it itself.
		boolean outlastsCall = request.waitTime().compareTo(LONGEST_CALL) >= 0;
		StoreCalls calls = outlastsCall ? this.client.environment().callsOfWaitingCaller()
				: this.client.environment().promptCalls();
		CompletableFuture<ReleaseOutcome> outcome = Waiting.undisturbed(() -> beginRelease(request, calls));
		try {
			return awaitRelease(key(), outcome, request.waitTime());
		}
		catch (LockStoreException ex) {
			return unconfirmed(request, ex);
		}
	}

	@Override
	public CompletableFuture<ReleaseOutcome> releaseAsync(ReleaseRequest request) {
		return onDefaultExecutor(beginRelease(request).exceptionally((problem) -> {
			RuntimeException failure = (RuntimeException) cause(problem);
			if (failure instanceof LockStoreException unconfirmed) {
				return unconfirmed(request, unconfirmed);
			}
			throw failure;
		}));
	}

	private ReleaseOutcome unconfirmed(ReleaseRequest request, LockStoreException failure) {
		if (this.lifecycle.last().lossReason() != null) {
			return ReleaseOutcome.LOST;
		}
		if (!request.bestEffort()) {
			throw failure;
		}
		LockLog.warn(logger, failure);
		return ReleaseOutcome.UNCONFIRMED;
	}

	/**
	 * Completes a future for the application. Code that depends on it may block, and must
	 * not do so on a thread that renews or releases locks.
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // the dependent throws nothing
	private static <T> CompletableFuture<T> onDefaultExecutor(CompletableFuture<T> result) {
		CompletableFuture<T> future = new CompletableFuture<>();
		result.whenCompleteAsync((value, problem) -> {
			if (problem != null) {
				future.completeExceptionally(cause(problem));
			}
			else {
				future.complete(value);
			}
		});
		return future;
	}

	private static Throwable cause(Throwable problem) {
		Throwable cause = problem.getCause();
		return (problem instanceof CompletionException && cause != null) ? cause : problem;
	}

	/**
	 * Waits for a release, which goes on after the wait time.
	 * @throws LockStoreException if the outcome is not known in time
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // the dependent throws nothing
	static ReleaseOutcome awaitRelease(LockKey key, CompletableFuture<ReleaseOutcome> release, Duration waitTime) {
		if (!Waiting.uninterruptibly(release, Duration.ofNanos(Nanos.of(waitTime)))) {
			release.whenComplete((outcome, problem) -> {
				if (problem != null) {
					LockLog.warn(logger, problem);
				}
			});
			throw new LockStoreException("The release of lock '" + key + "' was not confirmed within "
					+ LockLog.text(waitTime)
					+ "; it goes on in the background. Unless it succeeds, the lock expires one lease after its last heartbeat",
					null);
		}
		return Waiting.uninterruptibly(release);
	}

	@Override
	public void close() {
		try {
			release();
		}
		catch (LockException ex) {
			LockLog.warn(logger, ex);
		}
	}

	@Override
	public String toString() {
		return "HeldLock[key=" + key() + ", fencingToken=" + fencingToken() + ", held=" + isHeld() + "]";
	}

	private void ended() {
		this.client.remove(this);
		this.client.fairness().released(key(), this.client.environment().now());
		QueueKey queueKey = this.lifecycle.terms().queueKey();
		if (queueKey != null) {
			this.client.queue().leave(queueKey);
		}
	}

}
