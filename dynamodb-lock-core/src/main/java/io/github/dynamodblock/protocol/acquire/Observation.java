/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.time.Duration;
import java.util.Map;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import org.jspecify.annotations.Nullable;

/**
 * Another owner's lock, as this client has seen it. The record version number decides
 * when the lock can be taken over. The holding time decides how often to poll: often at
 * first, because most locks are held briefly, and then less and less often. All times are
 * on {@link ClockReading#observerNanos()}.
 *
 * @param holderSince when this holder was first seen; heartbeats do not change it
 * @param firstSeen when this record version number was first seen
 * @param markedAt when this client last marked this holder's lock, or {@code null}
 */
public record Observation(LockRecord record, long holderSince, long firstSeen, long lastSeen, @Nullable Long markedAt) {

	static final long FIRST_POLL_INTERVAL = 45_000_000L;

	static final long MARK_INTERVAL = 500_000_000L;

	private static final long SECOND = 1_000_000_000L;

	private static final long SHORTEST_LAST_INTERVAL = 50_000_000L;

	private static final long LONGEST_LAST_INTERVAL = 500_000_000L;

	/**
	 * Returns when the lock can be taken over if its record version number does not
	 * change.
	 */
	public long leaseEnds() {
		return Nanos.later(this.firstSeen, leaseNanos());
	}

	boolean leaseEnded(ClockReading now) {
		return now.observerNanos() >= leaseEnds();
	}

	/** Whether this client saw no renewal for at least half of the lease. */
	boolean showsSilence() {
		return this.lastSeen - this.firstSeen >= leaseNanos() / 2;
	}

	/**
	 * When to poll next: one interval after the last poll, or when the lease ends if that
	 * is sooner.
	 * @param fixed the configured interval, or {@code null}
	 */
	long nextPoll(double fraction, @Nullable Duration fixed) {
		long jittered = (long) (interval(fixed) * (0.8 + 0.4 * fraction));
		return Math.min(Nanos.later(this.lastSeen, jittered), leaseEnds());
	}

	long interval(@Nullable Duration fixed) {
		return (fixed != null) ? fixed.toNanos() : pollInterval(this.lastSeen - this.holderSince, leaseNanos());
	}

	/**
	 * When a waiting acquisition marks the lock: after half its wait time or
	 * {@link #MARK_INTERVAL}, whichever is shorter, but not before the time of two polls
	 * has passed. If this client has marked this holder before, even in an earlier wait,
	 * it marks again once it has seen the holder for twice as long.
	 */
	long nextMark(long begunAt, long waitNanos) {
		long wait = Math.max(2 * FIRST_POLL_INTERVAL, Math.min(MARK_INTERVAL, waitNanos / 2));
		long first = Nanos.later(begunAt, wait);
		return (this.markedAt == null) ? first : Math.max(first,
				Nanos.later(this.markedAt, Math.max(MARK_INTERVAL, this.markedAt - this.holderSince)));
	}

	Observation marked(long at) {
		return new Observation(this.record, this.holderSince, this.firstSeen, this.lastSeen, at);
	}

	private static long pollInterval(long age, long leaseNanos) {
		long last = Math.max(SHORTEST_LAST_INTERVAL, Math.min(LONGEST_LAST_INTERVAL, leaseNanos / 50));
		long share = (long) (age * ((double) FIRST_POLL_INTERVAL / SECOND));
		return (age > SECOND) ? Math.min(share, last) : FIRST_POLL_INTERVAL;
	}

	/**
	 * Returns the longest time that other clients need to see that a lock is free and to
	 * take it. That is one poll interval, which depends on how long the lock was held,
	 * plus two calls.
	 * @param callNanos how long a recent call took; a slow one counts only up to a limit
	 */
	public static long pauseForOthers(long heldNanos, Duration lease, long callNanos) {
		return (long) (pollInterval(heldNanos, Nanos.of(lease)) * 1.2) + 2 * Math.min(callNanos, LONGEST_LAST_INTERVAL);
	}

	/** Returns the same without the application's data, to save memory. */
	Observation withoutContent() {
		LockRecord small = this.record.toBuilder().name(null).data(null).attributes(Map.of()).build();
		return new Observation(small, this.holderSince, this.firstSeen, this.lastSeen, this.markedAt);
	}

	/** Whether it is two leases old, so forgetting it delays no takeover. */
	boolean isForgettable(long now) {
		return now - this.lastSeen >= Nanos.later(leaseNanos(), leaseNanos());
	}

	/** Whether a record that was read later has the same version and lease. */
	boolean isOf(LockRecord other) {
		return this.record.recordVersionNumber().equals(other.recordVersionNumber())
				&& this.record.leaseDuration().equals(other.leaseDuration());
	}

	/**
	 * Whether a record that was read later shows the same holder, with or without
	 * heartbeats in between. If the owner has acquired the lock again, the fencing token
	 * differs. Some kinds of clients write no token. For them, a version that changes
	 * within a second means a new holder, because heartbeats are further apart.
	 */
	boolean isOfSameHolder(LockRecord other) {
		boolean same = this.record.ownerName().equals(other.ownerName())
				&& this.record.fencingToken().equals(other.fencingToken());
		return same && (isOf(other) || other.fencingToken().isPresent() || this.lastSeen - this.firstSeen >= SECOND);
	}

	private long leaseNanos() {
		return Nanos.of(this.record.leaseDuration());
	}

}
