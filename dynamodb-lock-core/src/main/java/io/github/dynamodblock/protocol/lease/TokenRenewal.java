/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;

/**
 * The renewal of a detached lock by its token: one heartbeat, retried while the lease
 * lasts and for ten seconds at most.
 */
public final class TokenRenewal extends RetriedWrite {

	private static final long LONGEST_RETRY_TIME = 10_000_000_000L;

	private HeldLease lease;

	/**
	 * A renewal.
	 * @param lease the lease that the token describes, with what is to change
	 */
	public TokenRenewal(HeldLease lease, Randomness randomness) {
		super(lease.key(), lease.terms(), randomness);
		this.lease = lease;
	}

	@Override
	LockWrite write(String recordVersionNumber, ClockReading now) {
		this.lease = this.lease.renewing(recordVersionNumber, now);
		return this.lease.renewal();
	}

	@Override
	Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Failed failed) {
			return new Step.Failed(failed.failure());
		}
		HeldLease before = this.lease;
		this.lease = this.lease.answered(answer, now);
		LossReason reason = this.lease.lossReason();
		if (reason != null && reason != LossReason.EXPIRED) {
			return new Step.Failed(new LockLostException(this.key, reason, this.lease.fencingToken()));
		}
		if (this.lease.isRenewedSince(before)) {
			return new Step.Renewed(this.lease.record());
		}
		return writeAgain("the answer does not confirm the renewal", now);
	}

	@Override
	long limitNanos(ClockReading now) {
		return this.lease.callLimitNanos(now);
	}

	@Override
	long retryTimeNanos() {
		return Math.min(LONGEST_RETRY_TIME, this.lease.terms().validityNanos());
	}

	@Override
	long retryNanos(ClockReading now) {
		return this.lease.at(now).isKept() ? super.retryNanos(now) : 0;
	}

	@Override
	Step unconfirmed() {
		return failed("The renewal of lock '" + this.key
				+ "' by its token could not be confirmed; the token may be used up or not");
	}

}
