/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.AcquisitionTerms;
import io.github.dynamodblock.protocol.HeldLease;
import io.github.dynamodblock.protocol.Moment;
import io.github.dynamodblock.protocol.Nanos;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the holder of a lock has in hand.
 */
final class LeaseHandle implements HeldLock {

	private static final Logger logger = LoggerFactory.getLogger(LeaseHandle.class);

	private final ClientState client;

	private final Runnable turnOver;

	private final LeaseLife life;

	LeaseHandle(HeldLease lease, AcquisitionTerms terms, ClientState client, Runnable turnOver) {
		this.client = client;
		this.turnOver = turnOver;
		Environment environment = client.environment();
		List<LockListener> listeners = new ArrayList<>(client.settings().listeners());
		terms.request().listener().ifPresent(listeners::add);
		long holdUntil = Nanos.later(environment.now().holderNanos(), Nanos.of(terms.request().holdAtLeast()));
		this.life = new LeaseLife(lease, terms.deleteOnRelease(), holdUntil, environment,
				new Notifications(this, List.copyOf(listeners), environment.listeners()), this::over);
		client.turns().granted(lease.key(), lease.fencingToken());
	}

	/**
	 * Begins to keep the lock, once its holder has been told of it.
	 */
	void begin() {
		this.life.begin();
	}

	/**
	 * Gives the lock back without waiting.
	 * @return what happens, completed with an exception if that stays unknown
	 */
	CompletableFuture<ReleaseOutcome> giveBack() {
		return this.life.giveBack();
	}

	/**
	 * Frees a lock whose caller has left before it was told.
	 */
	void discard() {
		this.life.discard();
	}

	/**
	 * Ends the lease because the client closes.
	 * @return completed when nothing more is sent for it
	 */
	CompletableFuture<ReleaseOutcome> clientClosed() {
		return this.life.clientClosed();
	}

	/**
	 * Tells whoever waits for the end of this lease that nothing more comes of it.
	 */
	void environmentClosed() {
		this.life.environmentClosed();
	}

	@Override
	public LockKey key() {
		return this.life.last().key();
	}

	@Override
	public long fencingToken() {
		return this.life.last().fencingToken();
	}

	@Override
	public boolean isHeld() {
		return !this.life.isGivenBack() && this.life.present().isKept();
	}

	@Override
	public Duration remaining() {
		Moment now = this.client.environment().now();
		return isHeld() ? Duration.ofNanos(Math.max(0, this.life.last().deadline() - now.holderNanos()))
				: Duration.ZERO;
	}

	@Override
	public void ensureHeld() {
		ensureHeld(this.life.present());
	}

	private void ensureHeld(HeldLease lease) {
		if (lease.lossReason() != null) {
			throw new LockLostException(lease.key(), lease.lossReason(), lease.fencingToken());
		}
		if (this.life.isGivenBack()) {
			throw new IllegalStateException("Lock '" + lease.key() + "' was released by this handle");
		}
	}

	@Override
	public Optional<LossReason> lossReason() {
		return Optional.ofNullable(this.life.lossReason());
	}

	@Override
	public LockRecord record() {
		return this.life.last().record();
	}

	@Override
	public void renew() throws InterruptedException {
		ensureHeld();
		ensureHeld(Waiting.interruptibly(demand()));
	}

	/**
	 * Sends a heartbeat without waiting for it.
	 * @return completed with the lease when it is confirmed or the lease is not kept
	 */
	CompletableFuture<HeldLease> demand() {
		return this.life.renew();
	}

	@Override
	public ReleaseOutcome release() {
		return Waiting.uninterruptibly(giveBack());
	}

	@Override
	public void close() {
		try {
			release();
		}
		catch (LockException ex) {
			logger.warn("{}", ex.getMessage(), ex);
		}
	}

	@Override
	public String toString() {
		return "HeldLock[key=" + key() + ", fencingToken=" + fencingToken() + ", held=" + isHeld() + "]";
	}

	private void over() {
		this.client.remove(this);
		this.client.turns().released(key(), this.client.environment().now());
		this.turnOver.run();
	}

}
