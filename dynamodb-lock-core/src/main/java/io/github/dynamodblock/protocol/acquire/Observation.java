/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.Map;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;

/**
 * Another owner's lock, as this client has seen it: from when on, and until when, it had
 * the same record version number, and from when on the same holder. Only the record
 * version number says when the lock can be taken over; for how long an owner has held it
 * already says how soon to expect a change.
 *
 * @param record the lock as last read
 * @param holderSince when the first answer with this holder came, on
 * {@link ClockReading#observerNanos()}; heartbeats do not change it
 * @param firstSeen when the first answer with this record version number came
 * @param lastSeen when the last one came
 */
public record Observation(LockRecord record, long holderSince, long firstSeen, long lastSeen) {

	/** Heartbeats are further apart than that, for leases of more than a few seconds. */
	private static final long STEADY = 1_000_000_000L;

	/**
	 * When the lock can be taken over if its record version number stays as it is.
	 * @return the time, on {@link ClockReading#observerNanos()}
	 */
	public long leaseEnds() {
		return Nanos.later(this.firstSeen, leaseNanos());
	}

	/**
	 * Whether the whole lease went by without a heartbeat that was seen.
	 * @param now the time
	 * @return whether the lock can be taken over
	 */
	boolean leaseEnded(ClockReading now) {
		return now.observerNanos() >= leaseEnds();
	}

	/**
	 * What is worth remembering between calls: what a refusal says, and nothing that
	 * other applications may have stored in the item.
	 */
	Observation withoutContent() {
		LockRecord small = this.record.toBuilder().name(null).data(null).attributes(Map.of()).build();
		return new Observation(small, this.holderSince, this.firstSeen, this.lastSeen);
	}

	/**
	 * Whether the lock was seen less than a lease ago, so that it is probably still held.
	 * @param now the time
	 * @return whether it is recent
	 */
	boolean isRecent(ClockReading now) {
		return now.observerNanos() - this.lastSeen < leaseNanos();
	}

	/**
	 * Whether no client misses a takeover when this is forgotten.
	 * @param now the time, on {@link ClockReading#observerNanos()}
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

	/**
	 * Whether a record shows the same holding of the lock, with or without heartbeats in
	 * between. An owner that acquires anew has another fencing token. Where other clients
	 * write none, an owner whose versions follow quickly on each other passes the lock on
	 * among its own rather than sending heartbeats.
	 * @param other a record read later
	 * @return whether no other owner had the lock in between, as far as can be seen
	 */
	boolean isOfSameHolder(LockRecord other) {
		boolean same = this.record.ownerName().equals(other.ownerName())
				&& this.record.fencingToken().equals(other.fencingToken());
		return same && (isOf(other) || other.fencingToken().isPresent() || this.lastSeen - this.firstSeen >= STEADY);
	}

	private long leaseNanos() {
		return Nanos.of(this.record.leaseDuration());
	}

}
