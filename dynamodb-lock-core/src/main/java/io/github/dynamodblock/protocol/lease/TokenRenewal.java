/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;

/**
 * The renewal of a detached lock by its token: one heartbeat, retried while the lease
 * lasts and for ten seconds at most.
 */
public final class TokenRenewal extends RetriedWrite {

	private static final long LONGEST_RETRY_TIME = 10_000_000_000L;

	private Renewals lease;

	/** The version of the last write. */
	private String sending = "";

	/**
	 * A renewal.
	 * @param presented the lease that the token describes
	 */
	public TokenRenewal(Renewals presented, RenewRequest request, Randomness randomness) {
		super(presented.key(), presented.terms(), randomness);
		this.lease = presented.asked(request.leaseDuration().orElse(presented.terms().leaseDuration()),
				request.change());
	}

	@Override
	LockWrite write(String recordVersionNumber, ClockReading now) {
		this.sending = recordVersionNumber;
		this.lease = this.lease.sending(recordVersionNumber, now);
		return this.lease.heartbeat();
	}

	@Override
	Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Failed failed) {
			return new Step.Failed(failed.failure());
		}
		Renewals before = this.lease;
		LossReason reason = before.lossShownBy(answer);
		if (reason != null) {
			return new Step.Failed(new LockLostException(this.key, reason, this.lease.fencingToken()));
		}
		this.lease = before.answered(this.sending, answer);
		if (this.lease.areRenewedSince(before)) {
			return new Step.Renewed(this.lease.token());
		}
		return writeNext("the answer does not confirm the renewal", now);
	}

	@Override
	long until(ClockReading now) {
		long longest = Math.min(LONGEST_RETRY_TIME, this.lease.terms().validityNanos());
		return Math.min(this.lease.deadline(), Nanos.later(now.holderNanos(), longest));
	}

	@Override
	Step unconfirmed() {
		return failed("The renewal of lock '" + this.key
				+ "' by its token could not be confirmed; the token may or may not be used up");
	}

}
