/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.protocol.ClockReading;

/**
 * What the last heartbeats of a lease say about the next one: how long to wait for its
 * answer, and whether others go first. A call that hangs occupies a slot which other
 * locks need, so that it ends soon unless calls are known to be slow. Immutable.
 *
 * @param failures how many calls in a row failed
 * @param hung whether the last call failed, and not quickly
 * @param answeredNanos how long the last call took that was answered
 */
public record CallHistory(int failures, boolean hung, long answeredNanos) {

	/** The share of a lease that the first try of a heartbeat may take. */
	private static final int TRIES_IN_A_LEASE = 20;

	/** How much longer than the last answered call the first try may take. */
	private static final int SLOWER = 3;

	/**
	 * The history of a lease that has just been granted.
	 * @param nanos how long the granting call took
	 * @return the history
	 */
	public static CallHistory granted(long nanos) {
		return new CallHistory(0, false, nanos);
	}

	/**
	 * The history once a call confirmed the lease.
	 * @param nanos how long the call took
	 * @return the history
	 */
	public CallHistory confirmed(long nanos) {
		return new CallHistory(0, false, nanos);
	}

	/**
	 * The history once a call did not confirm the lease.
	 * @param nanos how long the call took
	 * @param lease the lease
	 * @return the history
	 */
	public CallHistory failed(long nanos, HeldLease lease) {
		return new CallHistory(this.failures + 1, nanos >= firstTry(lease.terms()) / 2, this.answeredNanos);
	}

	/**
	 * How long the next call may take. After a call that hung, nearly all that is left,
	 * since DynamoDB may have become slow; otherwise a small share of the lease, or a few
	 * times as long as the last call took.
	 * @param lease the lease
	 * @param now the time before the call is sent
	 * @return nanoseconds
	 */
	public long limitNanos(HeldLease lease, ClockReading now) {
		long most = LeaseCalls.limit(lease, now);
		return this.hung ? most : Math.min(most, Math.max(firstTry(lease.terms()), SLOWER * this.answeredNanos));
	}

	private static long firstTry(LeaseTerms terms) {
		return Math.max(LeaseTerms.SHORTEST_CALL_LIMIT_NANOS, terms.validityNanos() / TRIES_IN_A_LEASE);
	}

}
