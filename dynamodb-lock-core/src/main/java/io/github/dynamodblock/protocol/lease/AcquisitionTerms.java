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
 * The options of one acquisition: the request's, and the client's where the request sets
 * none.
 *
 * @param waitNanos how long to wait for other owners; zero for one attempt
 * @param deadline the end of the wait, on {@link ClockReading#observerNanos()}
 * @param pollInterval the configured poll interval, or {@code null} for one that depends
 * on the observation
 * @param adopted the token of the lock to adopt, or {@code null}
 */
public record AcquisitionTerms(LockRequest request, String ownerName, LeaseTerms lease, long waitNanos, long deadline,
		boolean deleteOnRelease, @Nullable Duration pollInterval, @Nullable Duration holdAtMost,
		@Nullable LockToken adopted) {

	/** How long a call may wait for its call slot after the caller's wait is over. */
	private static final long LONGEST_WAIT_TO_SEND = 1_000_000_000L;

	/** Returns the number of slots; one for an ordinary lock. */
	public int slots() {
		return isAdoption() ? 1 : this.request.permits();
	}

	public LockKey slotKey(int slot) {
		return (slots() == 1) ? key() : key().slot(slot);
	}

	/** Returns the terms for a single slot. */
	public AcquisitionTerms slot(int slot) {
		return (slots() == 1) ? this : new AcquisitionTerms(this.request.slot(slot), this.ownerName, this.lease,
				this.waitNanos, this.deadline, this.deleteOnRelease, this.pollInterval, this.holdAtMost, null);
	}

	public LockKey key() {
		return this.request.key();
	}

	/**
	 * Returns whether the lock is adopted by its token. An adoption does not wait for
	 * other acquisitions.
	 */
	public boolean isAdoption() {
		return this.adopted != null;
	}

	/** Returns the precondition of claims, without the takeover of an expired lease. */
	public Precondition precondition() {
		ItemCondition condition = this.request.condition().orElse(null);
		return (this.adopted != null) ? Precondition.only(this.adopted.recordVersionNumber()).with(condition)
				: new Precondition(!this.request.onlyIfItemExists(), true, null, condition);
	}

	/** Returns the terms for an adoption, which does not wait. */
	public AcquisitionTerms adopting(LockToken token, ClockReading now) {
		return new AcquisitionTerms(this.request, this.ownerName, this.lease, 0, now.observerNanos(),
				this.deleteOnRelease, this.pollInterval, this.holdAtMost, token);
	}

	/**
	 * Returns the latest time at which the caller gets a result, whatever DynamoDB does.
	 * It leaves time for one more attempt after the wait.
	 */
	public long answerDeadline() {
		return oneAttemptAfter(this.deadline);
	}

	/**
	 * Returns when the caller gets a result if its call has not been sent, because the
	 * client has too many calls to make.
	 */
	public long sendDeadline() {
		return sendDeadlineAfter(this.deadline);
	}

	/** Returns the same for a wait that ends at this time. */
	public long sendDeadlineAfter(long time) {
		return Math.min(Nanos.later(time, LONGEST_WAIT_TO_SEND), oneAttemptAfter(time));
	}

	/**
	 * Returns when an attempt that begins at this time has ended. It may take as long as
	 * two calls, because one may be lost.
	 */
	public long oneAttemptAfter(long time) {
		return Nanos.later(time, 2 * this.lease.callLimitNanos());
	}

	/**
	 * Whether a claim would write only what the item already contains. This is never
	 * certain for a request with attributes or a condition, because attributes may have
	 * been changed without the lock.
	 * @param shown the item that the holder left
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
