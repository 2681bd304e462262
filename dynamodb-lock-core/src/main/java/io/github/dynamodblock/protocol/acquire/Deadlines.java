/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import org.jspecify.annotations.Nullable;

/**
 * Until when an acquisition waits, on {@link ClockReading#observerNanos()}. If an owner
 * seems to have crashed, it may wait longer than its wait time, for the rest of that
 * owner's lease. It then claims only this owner's version. If the lock was renewed or
 * released in the meantime, that owner was alive; if it was taken, it has a new owner.
 */
final class Deadlines {

	/** For how long to repeat calls that fail at once, if the wait is shorter. */
	private static final long SHORTEST_RETRIES = 500_000_000L;

	/** The same if they have no effect: more of them would keep an overload going. */
	private static final long SHORTEST_RETRIES_WITHOUT_EFFECT = 200_000_000L;

	/** More than the rounding of a call's time limit can amount to. */
	private static final long ROUNDING = 2_000_000L;

	/** The time limit of a read if other slots are to be read as well. */
	private static final long LONGEST_READ_OF_MANY = 500_000_000L;

	private final AcquisitionTerms terms;

	private long begunAt;

	private boolean begun;

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
		this.begunAt = this.begun ? this.begunAt : now.observerNanos();
		this.begun = true;
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
	 * By when a call is sent, or the caller gets a result without it.
	 * @param queuedAt since when it waits for a slot
	 */
	long sendDeadline(long queuedAt) {
		return Math.min(this.terms.sendDeadlineAfter(Math.max(this.deadline, queuedAt)), this.answerDeadline);
	}

	/** No call keeps its caller beyond the latest time for a result. */
	long callLimit(ClockReading now) {
		return limitBy(this.answerDeadline, now);
	}

	/**
	 * A read that can only confirm the known holder ends with the wait time, so that it
	 * does not keep the caller's thread longer.
	 */
	long readLimit(boolean showsHolder, ClockReading now) {
		// Limits are rounded down, and must not end before the wait.
		long limit = limitBy(showsHolder ? Nanos.later(this.deadline, ROUNDING) : this.answerDeadline, now);
		// One that hangs must not keep the others back for long.
		return (this.terms.slots() == 1) ? limit : Math.min(limit, LONGEST_READ_OF_MANY);
	}

	private long limitBy(long end, ClockReading now) {
		long left = Math.max(end - now.observerNanos(), LeaseTerms.SHORTEST_CALL_LIMIT_NANOS);
		return Math.min(this.terms.lease().callLimitNanos(), left);
	}

	/**
	 * Until when a failed call is retried: until the wait ends, but at least for a
	 * moment. The first failure is retried even if the call took longer than that, since
	 * one call may be lost.
	 * @param unanswered how many calls failed since the last answer
	 * @param turnedAway whether the last of them certainly had no effect
	 */
	long retriesUntil(int unanswered, boolean turnedAway) {
		long attempt = (this.awaited != null) ? this.deadline : this.begunAt;
		long shortest = turnedAway ? SHORTEST_RETRIES_WITHOUT_EFFECT : SHORTEST_RETRIES;
		long until = (unanswered == 1) ? this.terms.oneAttemptAfter(attempt) : Nanos.later(attempt, shortest);
		return Math.max(this.deadline, until);
	}

	/**
	 * Moves the deadline if it has come and the owner is to be awaited.
	 * @return whether the owner is awaited
	 */
	boolean extend(@Nullable Observation seen, ClockReading now) {
		if (seen == null || this.awaited != null || now.observerNanos() < this.deadline || !isAwaited(seen, now)) {
			return false;
		}
		this.awaited = seen.record().recordVersionNumber();
		this.deadline = Math.max(this.deadline, seen.leaseEnds());
		this.answerDeadline = Math.max(this.answerDeadline, this.terms.oneAttemptAfter(this.deadline));
		return true;
	}

	/**
	 * Does not wait for a lease that is longer than the caller's own, because no caller
	 * expects that.
	 */
	private boolean isAwaited(Observation seen, ClockReading now) {
		return this.terms.request().awaitSilentOwner() && this.terms.adopted() == null
				&& seen.record().isOwnerSilent(now.wallClock())
				&& seen.leaseEnds() - now.observerNanos() <= Nanos.of(this.terms.lease().leaseDuration());
	}

	/** Whether the owner that was awaited was alive after all: its version is gone. */
	boolean endedBy(@Nullable LockRecord found) {
		return this.awaited != null
				&& (found == null || found.isReleased() || !found.recordVersionNumber().equals(this.awaited));
	}

}
