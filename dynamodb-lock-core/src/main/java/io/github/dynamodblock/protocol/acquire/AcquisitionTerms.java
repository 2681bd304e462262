/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import org.jspecify.annotations.Nullable;

/**
 * What one acquisition is to achieve, with everything decided that the request left open.
 *
 * @param ownerName the name that the item gets
 * @param waitNanos how long to wait for others; zero for one attempt
 * @param deadline until when, on {@link ClockReading#observerNanos()}
 * @param pollInterval the time between two polls of a held lock, or {@code null} for one
 * that follows the observation
 * @param holdAtMost how long the lock is held at most, or {@code null} for no limit
 * @param handedOver the token by which the lock was handed over, or {@code null}
 */
public record AcquisitionTerms(LockRequest request, String ownerName, LeaseTerms lease, long waitNanos, long deadline,
		boolean deleteOnRelease, @Nullable Duration pollInterval, @Nullable Duration holdAtMost,
		@Nullable LockToken handedOver) {

	/**
	 * Returns the terms for each lock that may be granted: this one, or the slots of a
	 * semaphore. These begin with a random one, so that clients do not meet at the first.
	 * @param chance supplies a number from zero (included) to one (excluded)
	 */
	public Stream<AcquisitionTerms> slots(DoubleSupplier chance) {
		int permits = this.request.permits();
		if (permits == 1 || isHandedOver()) {
			return Stream.of(this);
		}
		int first = (int) (chance.getAsDouble() * permits);
		return IntStream.range(first, first + permits)
			.mapToObj((slot) -> new AcquisitionTerms(this.request.slot(slot % permits), this.ownerName, this.lease,
					this.waitNanos, this.deadline, this.deleteOnRelease, this.pollInterval, this.holdAtMost, null));
	}

	/** Returns the lock. */
	public LockKey key() {
		return this.request.key();
	}

	/**
	 * Returns whether the lock is handed over: then no other acquisition is waited for.
	 */
	public boolean isHandedOver() {
		return this.handedOver != null;
	}

	/** When the lock may be claimed, besides the end of a lease. */
	Precondition precondition() {
		ItemCondition condition = this.request.condition().orElse(null);
		return (this.handedOver != null) ? Precondition.only(this.handedOver.recordVersionNumber()).with(condition)
				: new Precondition(!this.request.onlyIfItemExists(), true, null, condition);
	}

	/**
	 * Returns the same terms for a lock that is handed over, which leaves no owner to
	 * wait for.
	 */
	public AcquisitionTerms handedOver(LockToken token, ClockReading now) {
		return new AcquisitionTerms(this.request, this.ownerName, this.lease, 0, now.observerNanos(),
				this.deleteOnRelease, this.pollInterval, this.holdAtMost, token);
	}

	/**
	 * Returns by when the caller gets a result at the latest, whatever DynamoDB does:
	 * after the wait, one attempt is left.
	 */
	public long answerDeadline() {
		return oneAttemptAfter(this.deadline);
	}

	/** The time of two calls later, since one may be lost. */
	long oneAttemptAfter(long time) {
		return Nanos.later(time, 2 * this.lease.callLimitNanos());
	}

}
