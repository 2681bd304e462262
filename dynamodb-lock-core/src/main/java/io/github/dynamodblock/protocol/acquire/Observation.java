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
 * @param record the lock as last read
 * @param holderSince when the first answer with this holder came; heartbeats do not
 * change it
 * @param firstSeen when the first answer with this record version number came
 * @param lastSeen when the last one came
 * @param markedAt when this client last let this holder know that it waits, or
 * {@code null}
 */
public record Observation(LockRecord record, long holderSince, long firstSeen, long lastSeen, @Nullable Long markedAt) {

	/** The time between two polls of a lock that has been held for less than a second. */
	static final long FIRST_POLL_INTERVAL = 45_000_000L;

	/** The shortest time between two marks of a waiting client. */
	static final long MARK_INTERVAL = 500_000_000L;

	private static final long SECOND = 1_000_000_000L;

	private static final long SHORTEST_LAST_INTERVAL = 50_000_000L;

	private static final long LONGEST_LAST_INTERVAL = 500_000_000L;

	/**
	 * Returns when the lock can be taken over if its record version number stays as it
	 * is.
	 */
	public long leaseEnds() {
		return Nanos.later(this.firstSeen, leaseNanos());
	}

	boolean leaseEnded(ClockReading now) {
		return now.observerNanos() >= leaseEnds();
	}

	/**
	 * Whether the owner was seen not to renew the lock for half of its lease or longer.
	 */
	boolean showsSilence() {
		return this.lastSeen - this.firstSeen >= leaseNanos() / 2;
	}

	/**
	 * When to poll next: one interval after the last poll, and not after the lease ends.
	 * @param fixed the interval that was asked for, or {@code null}
	 */
	long nextPoll(double fraction, @Nullable Duration fixed) {
		long jittered = (long) (interval(fixed) * (0.8 + 0.4 * fraction));
		return Math.min(Nanos.later(this.lastSeen, jittered), leaseEnds());
	}

	/** The time between two polls. */
	long interval(@Nullable Duration fixed) {
		return (fixed != null) ? fixed.toNanos() : pollInterval(this.lastSeen - this.holderSince, leaseNanos());
	}

	/**
	 * When a wait marks the lock: after the time of two polls at least, and seldom if it
	 * is held for long and was marked, also by an earlier wait.
	 */
	long nextMark(long begunAt, long waitNanos) {
		long wait = Math.max(2 * FIRST_POLL_INTERVAL, Math.min(MARK_INTERVAL, waitNanos / 2));
		long first = Nanos.later(begunAt, wait);
		return (this.markedAt == null) ? first : Math.max(first,
				Nanos.later(this.markedAt, Math.max(MARK_INTERVAL, this.markedAt - this.holderSince)));
	}

	/** The same, once this client has marked the lock. */
	Observation marked(long at) {
		return new Observation(this.record, this.holderSince, this.firstSeen, this.lastSeen, at);
	}

	/** After a second, the interval is a fixed share of the holding time. */
	private static long pollInterval(long age, long leaseNanos) {
		long last = Math.max(SHORTEST_LAST_INTERVAL, Math.min(LONGEST_LAST_INTERVAL, leaseNanos / 50));
		long share = (long) (age * ((double) FIRST_POLL_INTERVAL / SECOND));
		return (age > SECOND) ? Math.min(share, last) : FIRST_POLL_INTERVAL;
	}

	/**
	 * Returns the maximum time that others need to see that a lock is free, and to take
	 * it: the pause between two polls, which grows with the time for which the lock was
	 * held, and two calls.
	 * @param callNanos how long a call took, which may have been a slow one
	 */
	public static long pauseForOthers(long heldNanos, Duration lease, long callNanos) {
		return (long) (pollInterval(heldNanos, Nanos.of(lease)) * 1.2) + 2 * Math.min(callNanos, LONGEST_LAST_INTERVAL);
	}

	/** Drops what other applications may have stored in the item. */
	Observation withoutContent() {
		LockRecord small = this.record.toBuilder().name(null).data(null).attributes(Map.of()).build();
		return new Observation(small, this.holderSince, this.firstSeen, this.lastSeen, this.markedAt);
	}

	/**
	 * Whether it was seen two leases ago or earlier. Forgetting it then delays no
	 * takeover.
	 */
	boolean isForgettable(long now) {
		return now - this.lastSeen >= Nanos.later(leaseNanos(), leaseNanos());
	}

	/** Whether a record that was read later continues this observation. */
	boolean isOf(LockRecord other) {
		return this.record.recordVersionNumber().equals(other.recordVersionNumber())
				&& this.record.leaseDuration().equals(other.leaseDuration());
	}

	/**
	 * Whether a record that was read later shows the same holding of the lock, with or
	 * without heartbeats in between. An owner that acquires anew has another fencing
	 * token. If other kinds of clients write no token, versions that follow each other
	 * within a second are new holdings, because heartbeats are further apart.
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
