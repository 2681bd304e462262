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
 * seems to have crashed, the acquisition may wait longer than its wait time, for the rest
 * of that owner's lease. It then claims only that owner's version. If the version has
 * changed, the owner was alive or the lock has a new owner, and the wait ends.
 */
final class Deadlines {

	/** The shortest time for which failed calls are retried. */
	private static final long SHORTEST_RETRIES = 500_000_000L;

	/**
	 * The same for calls that had no effect. Longer retries would prolong an overload.
	 */
	private static final long SHORTEST_RETRIES_WITHOUT_EFFECT = 200_000_000L;

	/** Added to time limits, which are rounded down by less than this. */
	private static final long ROUNDING = 2_000_000L;

	/** The time limit of a read if there are other slots to read. */
	private static final long LONGEST_READ_OF_MANY = 500_000_000L;

	private final AcquisitionTerms terms;

	private long begunAt;

	private boolean begun;

	private long deadline;

	private long answerDeadline;

	/** The record version number of the owner that is awaited beyond the wait time. */
	private @Nullable String awaited;

	Deadlines(AcquisitionTerms terms) {
		this.terms = terms;
		this.begunAt = terms.deadline();
		this.deadline = terms.deadline();
		this.answerDeadline = terms.answerDeadline();
	}

	/** Notes that the first call may be sent. */
	void begin(ClockReading now) {
		this.begunAt = this.begun ? this.begunAt : now.observerNanos();
		this.begun = true;
	}

	long begunAt() {
		return this.begunAt;
	}

	/** Until when to wait while another owner holds the lock. */
	long deadline() {
		return this.deadline;
	}

	/** The latest time at which the caller gets a result, whatever DynamoDB does. */
	long answerDeadline() {
		return this.answerDeadline;
	}

	/** When the caller gets a result if the call has not been sent by then. */
	long sendDeadline(long queuedAt) {
		return Math.min(this.terms.sendDeadlineAfter(Math.max(this.deadline, queuedAt)), this.answerDeadline);
	}

	/** The time limit of a claim, which never ends after the answer deadline. */
	long callLimit(ClockReading now) {
		return limitBy(this.answerDeadline, now);
	}

	/**
	 * The time limit of a read. A read that can only confirm the known holder ends with
	 * the wait time, so it does not hold up the caller.
	 */
	long readLimit(boolean showsHolder, ClockReading now) {
		// Limits are rounded down, but must not end before the wait does.
		long limit = limitBy(showsHolder ? Nanos.later(this.deadline, ROUNDING) : this.answerDeadline, now);
		// A read that hangs must not delay the other slots for long.
		return (this.terms.slots() == 1) ? limit : Math.min(limit, LONGEST_READ_OF_MANY);
	}

	private long limitBy(long end, ClockReading now) {
		long left = Math.max(end - now.observerNanos(), LeaseTerms.SHORTEST_CALL_LIMIT_NANOS);
		return Math.min(this.terms.lease().callLimitNanos(), left);
	}

	/**
	 * Until when a failed call is retried: until the wait ends, but at least for a
	 * moment. The first failure is retried even if the call took longer, because one call
	 * may be lost.
	 */
	long retriesUntil(int unanswered, boolean turnedAway) {
		long attempt = (this.awaited != null) ? this.deadline : this.begunAt;
		long shortest = turnedAway ? SHORTEST_RETRIES_WITHOUT_EFFECT : SHORTEST_RETRIES;
		long until = (unanswered == 1) ? this.terms.oneAttemptAfter(attempt) : Nanos.later(attempt, shortest);
		return Math.max(this.deadline, until);
	}

	/**
	 * Extends the deadline once it is over, if the owner is to be awaited; returns
	 * whether it did.
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
	 * Does not wait for longer than the caller's own lease, because no caller expects
	 * that.
	 */
	private boolean isAwaited(Observation seen, ClockReading now) {
		return this.terms.request().awaitSilentOwner() && this.terms.adopted() == null
				&& seen.record().isOwnerSilent(now.wallClock())
				&& seen.leaseEnds() - now.observerNanos() <= Nanos.of(this.terms.lease().leaseDuration());
	}

	/** Whether the wait for the owner is over, because its version is gone. */
	boolean endedBy(@Nullable LockRecord found) {
		return this.awaited != null
				&& (found == null || found.isReleased() || !found.recordVersionNumber().equals(this.awaited));
	}

}
