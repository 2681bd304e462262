/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.verification.lockserver.Answer.Granted;

/**
 * A lock in the hands of a client, as the client knows it. Times are those of the
 * clients' monotonic clock, in nanoseconds.
 *
 * <p>
 * A lease is counted from before its request was sent, so that the service began to count
 * later. It rounds up besides: a lock is held through the whole second of its expiry, by
 * the time of day, which is the same for all on one machine. The client therefore holds
 * the lock for certain until the acknowledged lease, counted so, and that second are both
 * over.
 *
 * @param grant the call that acquired the lock
 * @param granted what is acknowledged now: after renewals, their sum
 * @param expiryEnd when the second of the acknowledged expiry ends
 * @param latestKey the idempotency key of the latest renewal
 * @param until when the client let go of the lock or learned that it does not have it;
 * {@link Long#MAX_VALUE} if neither
 * @param released whether the service has confirmed the release
 */
record Hold(Call grant, Granted granted, long expiryEnd, String latestKey, long until, boolean released) {

	/** By how much the time of day may be set right while a lock is held. */
	private static final long CLOCK_ADJUSTMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	static Hold of(Call call, Granted granted) {
		return new Hold(call, granted, expiryEnd(call, granted), "", Long.MAX_VALUE, false);
	}

	Hold renewed(Call call, Granted now) {
		return new Hold(this.grant, now, expiryEnd(call, now), call.request().idempotencyKey(), this.until,
				this.released);
	}

	Hold ended(long time, boolean confirmed) {
		return new Hold(this.grant, this.granted, this.expiryEnd, this.latestKey, time, confirmed);
	}

	private static long expiryEnd(Call call, Granted granted) {
		return call.endOf(granted.expiry()) - CLOCK_ADJUSTMENT_NANOS;
	}

	String client() {
		return this.grant.request().client();
	}

	String lock() {
		return this.grant.request().lock();
	}

	String instance() {
		return this.grant.instance();
	}

	long fencingToken() {
		return this.granted.fencingToken();
	}

	/** Since when the client holds the lock for certain. */
	long from() {
		return this.grant.answered();
	}

	/** Until when the service must let the client have the lock if it wants it. */
	long leaseEnd() {
		return Math.max(this.expiryEnd, this.grant.sent() + TimeUnit.SECONDS.toNanos(this.granted.seconds()));
	}

	/** Until when the client holds the lock for certain. */
	long to() {
		return Math.min(leaseEnd(), this.until);
	}

	/** From when on the service must not show the lock as held any more. */
	long over() {
		return this.released ? this.until
				: this.grant.answered() + TimeUnit.SECONDS.toNanos(this.granted.seconds() + 1);
	}

	/** Whether the client holds the lock for certain at a time. */
	boolean isHeldAt(long time) {
		return from() <= time && time < to();
	}

	@Override
	public String toString() {
		return client() + " (token " + fencingToken() + ", from " + instance() + ")";
	}

}
