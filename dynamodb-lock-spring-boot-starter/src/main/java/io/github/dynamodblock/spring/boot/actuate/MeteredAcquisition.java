/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;

/**
 * One acquisition and the lock that comes of it, as meters see them. Thread-safe.
 */
final class MeteredAcquisition implements LockListener {

	private final NamedLockMeters meters;

	private final LockRequest request;

	private final long begunAt = System.nanoTime();

	private volatile long acquiredAt;

	private volatile long heartbeatAt;

	MeteredAcquisition(LockRequest request, NamedLockMeters meters) {
		this.meters = meters;
		this.request = request.listener(this);
	}

	/** The request, to which the meters listen. */
	LockRequest request() {
		return this.request;
	}

	/** The caller has its result. */
	void ended(AcquisitionOutcome outcome) {
		this.meters.acquired(outcome, since(this.begunAt));
	}

	/** How long ago the lock was kept for the last time. */
	Duration sinceHeartbeat() {
		return since(this.heartbeatAt);
	}

	@Override
	public void onAcquired(HeldLock lock) {
		this.acquiredAt = System.nanoTime();
		this.heartbeatAt = this.acquiredAt;
		this.meters.acquired(this);
		if (this.request.automaticRenewal()) {
			this.meters.kept(this);
		}
	}

	@Override
	public void onTakenOver(HeldLock lock, LockRecord previous, Duration silent) {
		this.meters.takenOver();
	}

	@Override
	public void onRenewed(HeldLock lock) {
		this.heartbeatAt = System.nanoTime();
		this.meters.heartbeat("confirmed");
	}

	@Override
	public void onRenewalFailed(HeldLock lock, Throwable cause) {
		this.meters.heartbeat("failed");
	}

	@Override
	public void onReleased(HeldLock lock) {
		over();
	}

	@Override
	public void onReleaseFailed(HeldLock lock, LockException cause) {
		over();
	}

	@Override
	public void onDetached(HeldLock lock) {
		over();
	}

	@Override
	public void onLost(HeldLock lock, LossReason reason) {
		over();
		this.meters.lost(reason);
	}

	private void over() {
		this.meters.over(this, since(this.acquiredAt));
	}

	private static Duration since(long nanoTime) {
		return Duration.ofNanos(System.nanoTime() - nanoTime);
	}

}
