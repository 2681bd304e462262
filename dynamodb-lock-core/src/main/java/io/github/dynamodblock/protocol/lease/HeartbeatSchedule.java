/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.protocol.Backoff;
import io.github.dynamodblock.protocol.ClockReading;

/**
 * When a held lease is renewed next.
 */
public final class HeartbeatSchedule {

	/** The shortest wait for the next try; where leases are short, a share of them. */
	private static final long SHORTEST_RETRY = 50_000_000L;

	private static final int TRIES_IN_A_LEASE = 20;

	private HeartbeatSchedule() {
	}

	/**
	 * When to renew a lease first. Locks that were taken in one burst are spread over the
	 * period.
	 * @param terms the lease's terms
	 * @param fraction a random fraction
	 * @return nanoseconds from now, between half a period and a whole one
	 */
	public static long first(LeaseTerms terms, double fraction) {
		return (long) (period(terms) * (0.5 + 0.5 * fraction));
	}

	/**
	 * When to renew a lease after a heartbeat was confirmed.
	 * @param terms the lease's terms
	 * @param fraction a random fraction
	 * @return nanoseconds from the sending of that heartbeat, a period less up to a tenth
	 */
	public static long afterSuccess(LeaseTerms terms, double fraction) {
		return (long) (period(terms) * (0.9 + 0.1 * fraction));
	}

	/**
	 * When to try again after a heartbeat was not confirmed. Where a long lease leaves
	 * much time, the tries become few, since each has to be remembered.
	 * @param unanswered how many in a row were not, from one on
	 * @param lease the lease
	 * @param now the time
	 * @param fraction a random fraction
	 * @return nanoseconds from the answer
	 */
	public static long afterFailure(int unanswered, HeldLease lease, ClockReading now, double fraction) {
		long left = lease.deadline() - now.holderNanos();
		long backoff = Backoff.nanos(unanswered, Math.max(Backoff.LONGEST, left / 10), fraction);
		long shortest = Math.min(SHORTEST_RETRY, lease.terms().validityNanos() / TRIES_IN_A_LEASE);
		return Math.min(backoff, Math.max(shortest, left / 4));
	}

	/**
	 * The longest time until the next heartbeat, whatever the period: a lease that was
	 * confirmed late, on an earlier call, has less left than others.
	 * @param lease the lease
	 * @param now the time
	 * @return nanoseconds from now, half of what is left
	 */
	public static long latest(HeldLease lease, ClockReading now) {
		return Math.max(0, (lease.deadline() - now.holderNanos()) / 2);
	}

	private static long period(LeaseTerms terms) {
		return terms.heartbeatPeriod().toNanos();
	}

}
