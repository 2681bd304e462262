/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Precondition;
import org.jspecify.annotations.Nullable;

/**
 * Until when an acquisition waits. It may outlast its terms to await an owner that seems
 * to have crashed, for no longer than the rest of that owner's lease. From then on it
 * claims this owner's version and nothing else: a lock that was renewed, released or
 * taken meanwhile had a living owner, or has a new one.
 */
final class Deadlines {

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

	/**
	 * Until when to wait while another client holds the lock.
	 * @return the time, on {@link ClockReading#observerNanos()}
	 */
	long deadline() {
		return this.deadline;
	}

	/**
	 * By when the caller gets a result at the latest, whatever DynamoDB does.
	 * @return the time, on {@link ClockReading#observerNanos()}
	 */
	long answerDeadline() {
		return this.answerDeadline;
	}

	/**
	 * Until when a call that failed is followed by another: as long as others are waited
	 * for. However short the wait, it is the time of two calls, since one may be lost.
	 * @return the time, on {@link ClockReading#observerNanos()}
	 */
	long retriesUntil() {
		return (this.awaited != null) ? this.answerDeadline : Math.max(this.deadline, oneAttemptAfter(this.begunAt));
	}

	/** The first call may be sent. */
	void begin(ClockReading now) {
		this.begunAt = now.observerNanos();
	}

	private long oneAttemptAfter(long time) {
		return Nanos.later(time, 2 * this.terms.lease().callLimitNanos());
	}

	/**
	 * Moves the deadline if it has come and the owner is to be awaited.
	 * @param seen what was seen of the owner, or {@code null}
	 * @param now the time
	 */
	void extend(@Nullable Observation seen, ClockReading now) {
		if (seen == null || this.awaited != null || now.observerNanos() < this.deadline || !isAwaited(seen, now)) {
			return;
		}
		this.awaited = seen.record().recordVersionNumber();
		this.deadline = Math.max(this.deadline, seen.leaseEnds());
		// The call at the end of the lease may be lost once, as that of a single attempt.
		this.answerDeadline = Math.max(this.answerDeadline, oneAttemptAfter(this.deadline));
	}

	/** Not a lease longer than the caller's own: no caller expects to wait for that. */
	private boolean isAwaited(Observation seen, ClockReading now) {
		return this.terms.request().awaitSilentOwner() && this.terms.handedOver() == null
				&& seen.record().isOwnerSilent(now.wallClock())
				&& seen.leaseEnds() - now.observerNanos() <= Nanos.of(this.terms.lease().leaseDuration());
	}

	/**
	 * Whether the wait is over before its time, because the awaited owner was alive.
	 * @param found the lock as it is, or {@code null} if it has no item
	 * @return whether an owner was awaited whose version is gone
	 */
	boolean endedBy(@Nullable LockRecord found) {
		return this.awaited != null
				&& (found == null || found.isReleased() || !found.recordVersionNumber().equals(this.awaited));
	}

	/**
	 * When the lock may be claimed now.
	 * @param expired a record version number that may be taken, or {@code null}
	 * @return the precondition
	 */
	Precondition precondition(@Nullable String expired) {
		return (this.awaited != null && expired != null) ? Precondition.only(expired)
				: this.terms.precondition().orVersion(expired);
	}

}
