/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Step;

/**
 * The heartbeats of one lease: what to send, how long to await its answer, and when the
 * next one is due. {@link HeldLease} says what an answer means. Immutable.
 *
 * @param failures how many in a row were not confirmed
 * @param hung whether the last one was not confirmed, and that took long
 * @param answeredNanos how long the last call took that was answered
 * @param sentAt the time before the last call was sent, on
 * {@link ClockReading#holderNanos()}
 */
public record Heartbeats(int failures, boolean hung, long answeredNanos, long sentAt) {

	/** The share of a lease that a retry takes at least, and a first try at most. */
	private static final int TRIES_IN_A_LEASE = 20;

	/** The shortest wait for a retry; where leases are short, a share of them. */
	private static final long SHORTEST_RETRY = 50_000_000L;

	/** How much longer than the last answered call a first try may take. */
	private static final int SLOWER = 3;

	/** Returns the heartbeats of a lease that has just been granted. */
	public static Heartbeats granted(HeldLease lease, ClockReading now) {
		long sentAt = lease.deadline() - lease.terms().validityNanos();
		return new Heartbeats(0, false, now.holderNanos() - sentAt, sentAt);
	}

	/** Returns the state from before a call is sent. */
	public Heartbeats sending(ClockReading now) {
		return new Heartbeats(this.failures, this.hung, this.answeredNanos, now.holderNanos());
	}

	/**
	 * The next call: the heartbeat that {@link HeldLease#renewing} announced, or the read
	 * that settles whether the item is gone.
	 * @return the call and its time limit
	 */
	public Step.Call call(HeldLease lease, ClockReading now) {
		long limit = limitNanos(lease, now);
		return lease.seemsMissing() ? new Step.Read(lease.key(), true, limit) : new Step.Write(lease.renewal(), limit);
	}

	/**
	 * A call that hangs occupies a slot which other locks need, so that it ends soon;
	 * unless the last one hung or was slow, since DynamoDB may have become slow.
	 */
	private long limitNanos(HeldLease lease, ClockReading now) {
		long most = lease.callLimitNanos(now);
		return this.hung ? most : Math.min(most, Math.max(firstTry(lease.terms()), SLOWER * this.answeredNanos));
	}

	/** Returns the state once the last call, or an earlier one, is confirmed. */
	public Heartbeats confirmed(ClockReading now) {
		return new Heartbeats(0, false, now.holderNanos() - this.sentAt, this.sentAt);
	}

	/** Returns the state once the last call did not confirm the lease. */
	public Heartbeats failed(HeldLease lease, ClockReading now) {
		boolean slowly = now.holderNanos() - this.sentAt >= firstTry(lease.terms()) / 2;
		return new Heartbeats(this.failures + 1, slowly, this.answeredNanos, this.sentAt);
	}

	private static long firstTry(LeaseTerms terms) {
		return Math.max(LeaseTerms.SHORTEST_CALL_LIMIT_NANOS, terms.validityNanos() / TRIES_IN_A_LEASE);
	}

	/**
	 * When the first heartbeat is due: after half a period to a whole one, so that locks
	 * of one burst are spread.
	 */
	public static long firstNanos(HeldLease lease, ClockReading now, double fraction) {
		return Math.min((long) (period(lease) * (0.5 + 0.5 * fraction)), latestNanos(lease, now));
	}

	/**
	 * When the next heartbeat is due: a period less up to a tenth after the last one was
	 * sent, or after a back-off if that was not confirmed.
	 */
	public long nextNanos(HeldLease lease, ClockReading now, double fraction) {
		if (this.failures == 0) {
			long sentAgo = now.holderNanos() - this.sentAt;
			return Math.min((long) (period(lease) * (0.9 + 0.1 * fraction)) - sentAgo, latestNanos(lease, now));
		}
		// A long lease has few retries, since each of them has to be remembered.
		long left = lease.deadline() - now.holderNanos();
		long backoff = Nanos.backoff(this.failures, Math.max(Nanos.LONGEST_BACKOFF, left / 10), fraction);
		long shortest = Math.min(SHORTEST_RETRY, lease.terms().validityNanos() / TRIES_IN_A_LEASE);
		return Math.min(backoff, Math.max(shortest, left / 4));
	}

	/**
	 * The longest time until a heartbeat, whatever the period: a lease that was confirmed
	 * late, by an earlier call, has less left than others.
	 * @return nanoseconds from now, half of what is left
	 */
	public static long latestNanos(HeldLease lease, ClockReading now) {
		return Math.max(0, (lease.deadline() - now.holderNanos()) / 2);
	}

	private static long period(HeldLease lease) {
		return lease.terms().heartbeatPeriod().toNanos();
	}

}
