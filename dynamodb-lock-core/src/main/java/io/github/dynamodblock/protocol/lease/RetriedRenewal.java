/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;

/**
 * The renewal of a lock without a handle: of a detached lock by its token, or of a lock
 * that its closing client leaves for the rest of its holdAtLeast. It is one heartbeat,
 * retried while the lease lasts, and for at most ten seconds.
 */
public final class RetriedRenewal extends RetriedWrite {

	private static final long LONGEST_RETRY_TIME = 10_000_000_000L;

	private Renewals lease;

	/** The version of the last write. */
	private String sending = "";

	/** The state before the last write. */
	private Renewals unsent;

	public RetriedRenewal(Renewals lease, Duration leaseDuration, ItemChange change, Randomness randomness) {
		super(lease.key(), lease.terms(), randomness);
		this.lease = lease.asked(leaseDuration, change);
		this.unsent = this.lease;
	}

	@Override
	LockWrite write(String recordVersionNumber, ClockReading now) {
		if (!recordVersionNumber.equals(this.sending)) {
			this.unsent = this.lease;
			this.sending = recordVersionNumber;
		}
		this.lease = this.unsent.sending(recordVersionNumber, now);
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
		// An earlier heartbeat that was still in progress may have been applied first.
		if (wrote(this.lease.record())) {
			return new Step.Renewed(this.lease.token());
		}
		return writeNext("the answer does not confirm the renewal", now);
	}

	@Override
	long until(ClockReading now) {
		long longest = Math.min(LONGEST_RETRY_TIME, this.terms.validityNanos());
		return Math.min(this.lease.deadline(), Nanos.later(now.holderNanos(), longest));
	}

	@Override
	Step unconfirmed() {
		return failed("The renewal of lock '" + this.key + "' by its token "
				+ (mayBeApplied() ? "could not be confirmed; the token may or may not be used up"
						: "was not made; the token is still valid until its lease ends"));
	}

}
