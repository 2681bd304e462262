/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;

/**
 * The renewal of a detached lock by whoever presents its token: one heartbeat, repeated
 * while it is not answered and there is time.
 */
public final class TokenRenewal implements Operation {

	private final Randomness randomness;

	private final long retryUntil;

	private HeldLease lease;

	private int unanswered;

	/**
	 * A renewal that has not begun.
	 * @param lease the lease as the token tells it, with what is to change
	 * @param retryUntil until when a call that was not answered is followed by another,
	 * on {@link ClockReading#observerNanos()}
	 * @param randomness where identifiers and jitter come from
	 */
	public TokenRenewal(HeldLease lease, long retryUntil, Randomness randomness) {
		this.lease = lease;
		this.retryUntil = retryUntil;
		this.randomness = randomness;
	}

	@Override
	public Step start(ClockReading now) {
		return next(now);
	}

	@Override
	public Step wake(ClockReading now) {
		return this.lease.seemsMissing() ? LeaseCalls.confirmation(this.lease, now) : next(now);
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Failed failed) {
			return new Step.Failed(failed.failure());
		}
		String before = this.lease.record().recordVersionNumber();
		this.lease = this.lease.answered(answer, now);
		if (this.lease.lossReason() == LossReason.EXPIRED) {
			return failed(answer);
		}
		if (this.lease.lossReason() != null) {
			return new Step.Lost(this.lease.lossReason());
		}
		if (!this.lease.record().recordVersionNumber().equals(before)) {
			return new Step.Renewed(this.lease.record());
		}
		boolean seemsMissing = this.lease.seemsMissing() && answer instanceof Answer.Refused;
		return seemsMissing ? LeaseCalls.confirmation(this.lease, now) : retry(answer, now);
	}

	private Step retry(Answer answer, ClockReading now) {
		if (now.observerNanos() >= this.retryUntil) {
			return failed(answer);
		}
		long pause = Backoff.nanos(++this.unanswered, this.randomness.fraction());
		return new Step.Wait(Math.min(this.retryUntil, Nanos.later(now.observerNanos(), pause)));
	}

	private Step failed(Answer answer) {
		Throwable cause = (answer instanceof Answer.Unknown unknown) ? unknown.origin() : null;
		String description = (answer instanceof Answer.Unknown unknown) ? unknown.description() : answer.toString();
		return new Step.Failed(new LockStoreException("The renewal of lock '" + this.lease.key()
				+ "' by its token could not be confirmed; the token may be used up or not. The last call: "
				+ description, cause));
	}

	private Step next(ClockReading now) {
		this.lease = this.lease.renewing(this.randomness.recordVersionNumber(), now);
		return LeaseCalls.renewal(this.lease, now);
	}

}
