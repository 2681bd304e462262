/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import org.jspecify.annotations.Nullable;

/**
 * Until when an acquisition waits, on {@link ClockReading#observerNanos()}. It may
 * outlast its terms to await an owner that seems to have crashed, for no longer than the
 * rest of that owner's lease. From then on it claims this owner's version and nothing
 * else: a lock that was renewed, released or taken meanwhile had a living owner, or has a
 * new one.
 */
final class Deadlines {

	/** For how long to repeat calls that fail at once, if the wait is shorter. */
	private static final long SHORTEST_RETRIES = 500_000_000L;

	private final AcquisitionTerms terms;

	private long begunAt;

	private long deadline;

	private long answerDeadline;

	/** The record version number of the owner that is awaited beyond the terms. */
	private @Nullable String awaited;

	Deadlines(AcquisitionTerms terms) {
		this.terms = terms;
		this.begunAt = terms.deadline();
		this.deadline = terms.deadline();
		this.answerDeadline = terms.answerDeadline();
	}

	/** The first call may be sent. */
	void begin(ClockReading now) {
		this.begunAt = now.observerNanos();
	}

	long begunAt() {
		return this.begunAt;
	}

	/** Until when to wait while another client holds the lock. */
	long deadline() {
		return this.deadline;
	}

	/** By when the caller gets a result at the latest, whatever DynamoDB does. */
	long answerDeadline() {
		return this.answerDeadline;
	}

	/**
	 * Until when a call that failed is followed by another: for the wait, and for a
	 * moment at least. The first failure is repeated even if the call took longer, since
	 * one call may be lost.
	 * @param unanswered how many calls failed since the last answer
	 */
	long retriesUntil(int unanswered) {
		long attempt = (this.awaited != null) ? this.deadline : this.begunAt;
		long until = (unanswered == 1) ? this.terms.oneAttemptAfter(attempt) : Nanos.later(attempt, SHORTEST_RETRIES);
		return Math.max(this.deadline, until);
	}

	/** Moves the deadline if it has come and the owner is to be awaited. */
	void extend(@Nullable Observation seen, ClockReading now) {
		if (seen == null || this.awaited != null || now.observerNanos() < this.deadline || !isAwaited(seen, now)) {
			return;
		}
		this.awaited = seen.record().recordVersionNumber();
		this.deadline = Math.max(this.deadline, seen.leaseEnds());
		this.answerDeadline = Math.max(this.answerDeadline, this.terms.oneAttemptAfter(this.deadline));
	}

	/** Not a lease longer than the caller's own: no caller expects to wait for that. */
	private boolean isAwaited(Observation seen, ClockReading now) {
		return this.terms.request().awaitSilentOwner() && this.terms.handedOver() == null
				&& seen.record().isOwnerSilent(now.wallClock())
				&& seen.leaseEnds() - now.observerNanos() <= Nanos.of(this.terms.lease().leaseDuration());
	}

	/** Whether an owner was awaited whose version is gone, so that it was alive. */
	boolean endedBy(@Nullable LockRecord found) {
		return this.awaited != null
				&& (found == null || found.isReleased() || !found.recordVersionNumber().equals(this.awaited));
	}

	/** Whether an owner was awaited, so that its version alone may be claimed. */
	boolean isExtended() {
		return this.awaited != null;
	}

}
