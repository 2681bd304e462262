/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;

/**
 * The renewal of a detached lock by its token: one heartbeat, retried while the lease
 * lasts and time is left.
 */
public final class TokenRenewal extends RetriedWrite {

	private final long retryUntil;

	private HeldLease lease;

	/**
	 * A renewal that has not begun.
	 * @param lease the lease that the token describes, with what is to change
	 * @param retryUntil until when a failed call is followed by another, on
	 * {@link ClockReading#observerNanos()}
	 * @param randomness the source of identifiers and jitter
	 */
	public TokenRenewal(HeldLease lease, long retryUntil, Randomness randomness) {
		super(lease.key(), lease.terms(), randomness);
		this.lease = lease;
		this.retryUntil = retryUntil;
	}

	@Override
	protected LockWrite write(String recordVersionNumber, ClockReading now) {
		this.lease = this.lease.renewing(recordVersionNumber, now);
		return LeaseCalls.renewal(this.lease);
	}

	@Override
	protected Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Failed failed) {
			return new Step.Failed(failed.failure());
		}
		String before = this.lease.record().recordVersionNumber();
		this.lease = this.lease.answered(answer, now);
		LossReason reason = this.lease.lossReason();
		if (reason != null && reason != LossReason.EXPIRED) {
			return new Step.Lost(reason);
		}
		if (!this.lease.record().recordVersionNumber().equals(before)) {
			return new Step.Renewed(this.lease.record());
		}
		if (answer instanceof Answer.Unknown problem) {
			return retry(problem, now);
		}
		return (this.lease.seemsMissing() && answer instanceof Answer.Refused) ? read(now)
				: writeAgain("the answer does not confirm the renewal", now);
	}

	@Override
	protected long limitNanos(ClockReading now) {
		return LeaseCalls.limit(this.lease, now);
	}

	@Override
	protected long retryNanos(ClockReading now) {
		return this.lease.isKept() ? this.retryUntil - now.observerNanos() : 0;
	}

	@Override
	protected Step unconfirmed() {
		return failed("The renewal of lock '" + this.lease.key()
				+ "' by its token could not be confirmed; the token may be used up or not");
	}

}
