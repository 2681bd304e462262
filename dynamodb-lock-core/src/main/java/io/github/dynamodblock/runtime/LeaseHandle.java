/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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
import io.github.dynamodblock.protocol.AcquisitionTerms;
import io.github.dynamodblock.protocol.HeldLease;
import io.github.dynamodblock.protocol.LeaseTerms;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the holder of a lock has in hand.
 */
final class LeaseHandle implements HeldLock {

	private static final Logger logger = LoggerFactory.getLogger(LeaseHandle.class);

	private static final Duration LONGEST_CALL = Duration.ofNanos(LeaseTerms.CALL_LIMIT_NANOS);

	private final ClientState client;

	private final @Nullable String name;

	private final Runnable turnOver;

	private final boolean deleteOnRelease;

	private final boolean automaticRenewal;

	private final Duration acquisitionTime;

	private final LeaseLifecycle life;

	/** Before its claim was sent, on {@link ClockReading#holderNanos()}. */
	private final long claimedAt;

	LeaseHandle(HeldLease lease, AcquisitionTerms terms, ClientState client, Notifications notifications,
			Duration acquisitionTime, Runnable turnOver) {
		this.client = client;
		this.name = terms.request().name().orElse(null);
		this.turnOver = turnOver;
		this.deleteOnRelease = terms.deleteOnRelease();
		this.automaticRenewal = terms.request().automaticRenewal();
		this.acquisitionTime = acquisitionTime;
		Environment environment = client.environment();
		ClockReading now = environment.now();
		this.claimedAt = lease.deadline() - lease.terms().validityNanos();
		this.life = new LeaseLifecycle(limited(lease, terms, now), LeaseEnding.of(terms, now), client,
				new LeaseEvents(this, notifications, client.log()), this::over);
		client.fairness().granted(lease.key(), lease.fencingToken(), this.deleteOnRelease, now);
	}

	private static HeldLease limited(HeldLease lease, AcquisitionTerms terms, ClockReading now) {
		Duration holdAtMost = terms.holdAtMost();
		return (holdAtMost == null) ? lease : lease.limited(Nanos.later(now.holderNanos(), Nanos.of(holdAtMost)));
	}

	/**
	 * Begins to keep the lock, once its holder has been told of it.
	 */
	void begin() {
		this.life.begin();
	}

	/**
	 * Gives the lock back without waiting.
	 * @param request how
	 * @return what happens, completed with an exception if that stays unknown
	 */
	CompletableFuture<ReleaseOutcome> endHandle(ReleaseRequest request) {
		return endHandle(request, this.client.environment().promptCalls());
	}

	private CompletableFuture<ReleaseOutcome> endHandle(ReleaseRequest request, StoreCalls calls) {
		checkChange(request.change());
		boolean deleteItem = request.deleteOnRelease().orElse(this.deleteOnRelease);
		return this.life.endHandle(HandleEnd.released(deleteItem, request.change()), calls);
	}

	/**
	 * Frees a lock whose caller has left before it was told.
	 */
	void discard() {
		this.life.discard();
	}

	/**
	 * Whether another handle of this lock was granted after this one: the claims of all
	 * handles were sent one after the other, each after the grant before. Their fencing
	 * tokens would not tell, since they count anew once an item was deleted.
	 */
	boolean isOlderThan(LeaseHandle other) {
		return this.claimedAt - other.claimedAt < 0;
	}

	/**
	 * Tells the holder that a later grant to this client has shown the loss.
	 */
	void superseded() {
		this.life.superseded();
	}

	/**
	 * Ends the lease because the client closes.
	 * @param releases whether the lock is freed, or left until its lease ends
	 * @return completed when nothing more is sent for it
	 */
	CompletableFuture<ReleaseOutcome> clientClosed(boolean releases) {
		return this.life.clientClosed(releases);
	}

	/**
	 * The lease as it was when somebody last looked or changed it. Looking at it this way
	 * changes nothing.
	 */
	HeldLease last() {
		return this.life.last();
	}

	@Override
	public LockKey key() {
		return last().key();
	}

	@Override
	public Optional<String> name() {
		return Optional.ofNullable(this.name);
	}

	@Override
	public long fencingToken() {
		return last().fencingToken();
	}

	@Override
	public boolean isHeld() {
		return !this.life.isHandleEnded() && this.life.present().isKept();
	}

	@Override
	public boolean isExpiring() {
		return isHeld() && last().isExpiring();
	}

	@Override
	public boolean isAutomaticallyRenewed() {
		return this.automaticRenewal;
	}

	@Override
	public Duration remaining() {
		ClockReading now = this.client.environment().now();
		return isHeld() ? Duration.ofNanos(Math.max(0, last().lostAt() - now.holderNanos())) : Duration.ZERO;
	}

	@Override
	public void ensureHeld() {
		ensureHeld(this.life.present());
	}

	private void ensureHeld(HeldLease lease) {
		if (lease.lossReason() != null) {
			throw new LockLostException(lease.key(), lease.lossReason(), lease.fencingToken());
		}
		if (this.life.isHandleEnded() || !lease.isKept()) {
			throw new IllegalStateException("Lock '" + lease.key() + "' was "
					+ (this.life.isDetached() ? "detached from" : "released by") + " this handle");
		}
	}

	@Override
	public Optional<LossReason> lossReason() {
		return Optional.ofNullable(this.life.lossReason());
	}

	@Override
	public LockRecord record() {
		return last().record();
	}

	@Override
	public Duration acquisitionTime() {
		return this.acquisitionTime;
	}

	@Override
	public void renew(RenewRequest request) throws InterruptedException {
		ensureHeld();
		checkChange(request.change());
		ensureHeld(Waiting.interruptibly(demand(request)));
	}

	/**
	 * Sends a heartbeat without waiting for it.
	 * @param request what it is to change
	 * @return completed with the lease when it is confirmed or the lease is not kept
	 */
	CompletableFuture<HeldLease> demand(RenewRequest request) {
		return this.life.renew(request.leaseDuration().orElse(null), request.change());
	}

	private void checkChange(ItemChange change) {
		// Whatever the item is like, a lock that is only kept or freed is not refused.
		if (!change.isNone()) {
			HeldLease lease = last();
			this.client.settings().rules().checkChange(lease.record(), change, lease.expected(change));
		}
	}

	@Override
	public LockToken detach() throws InterruptedException {
		LockToken token = detachIfConfirmed();
		while (token == null) {
			Waiting.interruptibly(demand(RenewRequest.create()));
			// Here and nowhere else: a caller that was interrupted keeps the lock.
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
		HeldLease detached = this.life.detach();
		if (detached != null) {
			return detached.token();
		}
		// It may have ended meanwhile; then there is no heartbeat to wait for.
		ensureHeld();
		return null;
	}

	@Override
	public ReleaseOutcome release(ReleaseRequest request) {
		// A caller who waits for longer than a call may take need not hand it over.
		boolean outlastsCall = request.waitTime().compareTo(LONGEST_CALL) >= 0;
		StoreCalls calls = outlastsCall ? this.client.environment().callsOfWaitingCaller()
				: this.client.environment().promptCalls();
		CompletableFuture<ReleaseOutcome> outcome = Waiting.undisturbed(() -> endHandle(request, calls));
		try {
			return Releases.await(key(), outcome, request.waitTime());
		}
		catch (LockStoreException ex) {
			if (!request.bestEffort()) {
				throw ex;
			}
			LogText.warn(logger, ex);
			return ReleaseOutcome.UNCONFIRMED;
		}
	}

	@Override
	public void close() {
		try {
			release();
		}
		catch (LockException ex) {
			LogText.warn(logger, ex);
		}
	}

	@Override
	public String toString() {
		return "HeldLock[key=" + key() + ", fencingToken=" + fencingToken() + ", held=" + isHeld() + "]";
	}

	private void over() {
		this.client.remove(this);
		this.client.fairness().released(key(), this.client.environment().now());
		this.turnOver.run();
	}

}
