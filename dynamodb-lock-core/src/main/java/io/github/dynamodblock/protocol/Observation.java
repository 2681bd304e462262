/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import io.github.dynamodblock.LockRecord;

/**
 * Somebody else's lock, as this client has seen it: from when on, and until when, it had
 * the same record version number.
 *
 * @param record the lock as last read
 * @param firstSeen when the first answer with this record version number came, on
 * {@link Moment#observerNanos()}
 * @param lastSeen when the last one came
 */
public record Observation(LockRecord record, long firstSeen, long lastSeen) {

	/**
	 * When the lock can be taken over if its record version number stays as it is.
	 * @return the time, on {@link Moment#observerNanos()}
	 */
	public long leaseEnds() {
		return Nanos.later(this.firstSeen, leaseNanos());
	}

	/**
	 * Whether the whole lease went by without a heartbeat that was seen.
	 * @param now the time
	 * @return whether the lock can be taken over
	 */
	boolean leaseEnded(Moment now) {
		return now.observerNanos() >= leaseEnds();
	}

	/**
	 * Whether the lock was seen less than a lease ago, so that it is probably still held.
	 * @param now the time
	 * @return whether it is recent
	 */
	boolean isRecent(Moment now) {
		return now.observerNanos() - this.lastSeen < leaseNanos();
	}

	/**
	 * Whether forgetting this costs nobody a takeover.
	 * @param now the time, on {@link Moment#observerNanos()}
	 * @return whether it was last seen two leases ago or earlier
	 */
	boolean isForgettable(long now) {
		return now - this.lastSeen >= Nanos.later(leaseNanos(), leaseNanos());
	}

	/**
	 * Whether a record continues this observation.
	 * @param other a record read later
	 * @return whether it has the same record version number and lease
	 */
	boolean isOf(LockRecord other) {
		return this.record.recordVersionNumber().equals(other.recordVersionNumber())
				&& this.record.leaseDuration().equals(other.leaseDuration());
	}

	private long leaseNanos() {
		return Nanos.of(this.record.leaseDuration());
	}

}
