/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.Nanos;
import org.jspecify.annotations.Nullable;

/**
 * The options of one acquisition: the request's, with the client's in place of those that
 * are not set.
 *
 * @param ownerName the name that the item gets
 * @param waitNanos how long to wait for others; zero for one attempt
 * @param deadline until when, on {@link ClockReading#observerNanos()}
 * @param pollInterval the time between two polls of a held lock, or {@code null} for one
 * that follows the observation
 * @param holdAtMost the longest time to hold the lock, or {@code null} for no limit
 * @param adopted the token by which the lock is adopted, or {@code null}
 */
public record AcquisitionTerms(LockRequest request, String ownerName, LeaseTerms lease, long waitNanos, long deadline,
		boolean deleteOnRelease, @Nullable Duration pollInterval, @Nullable Duration holdAtMost,
		@Nullable LockToken adopted) {

	/** How much longer than its caller waits a call may wait for its slot. */
	private static final long LONGEST_WAIT_TO_SEND = 1_000_000_000L;

	/** Returns how many locks may be granted: one, or the slots of a semaphore. */
	public int slots() {
		return isAdoption() ? 1 : this.request.permits();
	}

	/** Returns the key of one of the slots. */
	public LockKey slotKey(int slot) {
		return (slots() == 1) ? key() : key().slot(slot);
	}

	/** Returns the terms of one of the slots alone. */
	public AcquisitionTerms slot(int slot) {
		return (slots() == 1) ? this : new AcquisitionTerms(this.request.slot(slot), this.ownerName, this.lease,
				this.waitNanos, this.deadline, this.deleteOnRelease, this.pollInterval, this.holdAtMost, null);
	}

	/** Returns the lock. */
	public LockKey key() {
		return this.request.key();
	}

	/**
	 * Returns whether the lock is adopted by its token. The acquisition then waits for no
	 * other acquisition.
	 */
	public boolean isAdoption() {
		return this.adopted != null;
	}

	/** Returns when the lock may be claimed, besides the end of a lease. */
	public Precondition precondition() {
		ItemCondition condition = this.request.condition().orElse(null);
		return (this.adopted != null) ? Precondition.only(this.adopted.recordVersionNumber()).with(condition)
				: new Precondition(!this.request.onlyIfItemExists(), true, null, condition);
	}

	/**
	 * Returns the same terms for a lock that is adopted, which leaves no owner to wait
	 * for.
	 */
	public AcquisitionTerms adopting(LockToken token, ClockReading now) {
		return new AcquisitionTerms(this.request, this.ownerName, this.lease, 0, now.observerNanos(),
				this.deleteOnRelease, this.pollInterval, this.holdAtMost, token);
	}

	/**
	 * Returns the latest time at which the caller gets a result, whatever DynamoDB does:
	 * after the wait, there is time for one more attempt.
	 */
	public long answerDeadline() {
		return oneAttemptAfter(this.deadline);
	}

	/**
	 * Returns by when a call is sent, unless the client has more calls to make than it
	 * can: the caller then gets a result without it.
	 */
	public long sendDeadline() {
		return sendDeadlineAfter(this.deadline);
	}

	/** Returns the same for a caller who waits until a time. */
	public long sendDeadlineAfter(long time) {
		return Math.min(Nanos.later(time, LONGEST_WAIT_TO_SEND), oneAttemptAfter(time));
	}

	/**
	 * Returns when an attempt that begins at a time has ended: it may take the time of
	 * two calls, since one of them may be lost.
	 */
	public long oneAttemptAfter(long time) {
		return Nanos.later(time, 2 * this.lease.callLimitNanos());
	}

	/**
	 * Whether a claim would write only what the item already contains. Attributes may
	 * have been changed without the lock since.
	 * @param shown the item, as its holder left it
	 */
	boolean changeNothingIn(LockRecord shown) {
		ItemChange change = this.request.change();
		boolean changes = !change.attributes().isEmpty() || !change.copies().isEmpty()
				|| !change.removedAttributes().isEmpty() || change.data().isPresent()
				|| (change.changesData() && shown.data().isPresent());
		return !changes && this.request.condition().isEmpty() && this.request.automaticRenewal()
				&& this.request.name().equals(shown.name()) && this.ownerName.equals(shown.ownerName());
	}

}
