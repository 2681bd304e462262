/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import org.jspecify.annotations.Nullable;

/**
 * When the heartbeats of one lease are sent, and how long to wait for their answers.
 * {@link Renewals} decides what is sent and what an answer means. All times are on
 * {@link ClockReading#holderNanos()}. Immutable.
 *
 * @param underWay whether a heartbeat waits for its call slot or an answer
 * @param nextAt when the next one is due, or {@link Nanos#NEVER}
 * @param hung whether the last heartbeat failed only after a long time
 * @param answeredNanos how long the last answered call took
 * @param sentAt the time before the last call was sent
 */
public record Heartbeats(boolean underWay, long nextAt, int failures, @Nullable Throwable cause, boolean hung,
		long answeredNanos, long sentAt) {

	/**
	 * A first attempt may take a twentieth of the validity, unless calls are slow. For
	 * short leases, a twentieth is also the shortest pause before a retry.
	 */
	private static final int TRIES_IN_A_LEASE = 20;

	/** The shortest pause before a retry, unless the lease is short. */
	private static final long SHORTEST_RETRY = 50_000_000L;

	/** A first attempt may take this many times as long as the last answered call. */
	private static final int SLOWER = 3;

	/**
	 * Heartbeats of many locks are due together, at multiples of this time, because
	 * waking a thread for each of them is expensive. With longer steps, too many would
	 * wait for call slots.
	 */
	private static final long STEP = 10_000_000L;

	/** A heartbeat is early by at most a fiftieth of its delay. */
	private static final int LEAST_STEPS = 50;

	/** Returns the state of a lease that was just granted. No heartbeat is due. */
	public static Heartbeats granted(long sentAt, ClockReading now) {
		return new Heartbeats(false, Nanos.NEVER, 0, null, false, now.holderNanos() - sentAt, sentAt);
	}

	/** Returns the state of the next holder's lease. No heartbeat is due. */
	public Heartbeats handedOn() {
		return new Heartbeats(false, Nanos.NEVER, 0, null, false, this.answeredNanos, this.sentAt);
	}

	/**
	 * Returns the state with no heartbeat in progress, and the next one due after this
	 * time or a little earlier.
	 */
	Heartbeats dueIn(long nanos, ClockReading now) {
		long next = (nanos == Nanos.NEVER) ? Nanos.NEVER : Nanos.later(now.holderNanos(), nanos);
		long early = (nanos >= LEAST_STEPS * STEP && next != Nanos.NEVER) ? Math.floorMod(next, STEP) : 0;
		return new Heartbeats(false, next - early, this.failures, this.cause, this.hung, this.answeredNanos,
				this.sentAt);
	}

	/**
	 * Returns the state once a caller has asked for a heartbeat. The next one stays due,
	 * because the caller's thread may make the call late.
	 */
	Heartbeats onDemand() {
		return new Heartbeats(true, this.nextAt, this.failures, this.cause, this.hung, this.answeredNanos, this.sentAt);
	}

	/**
	 * Returns the state once a due heartbeat is sent. No other heartbeat is due before
	 * the answer.
	 */
	Heartbeats onTime() {
		return new Heartbeats(true, Nanos.NEVER, this.failures, this.cause, this.hung, this.answeredNanos, this.sentAt);
	}

	Heartbeats sending(ClockReading now) {
		return new Heartbeats(this.underWay, this.nextAt, this.failures, this.cause, this.hung, this.answeredNanos,
				now.holderNanos());
	}

	/**
	 * The time limit of the call. It is short, because a hung call occupies a call slot
	 * that other locks need. It is longer if the last call hung or was slow, because
	 * DynamoDB may have become slow.
	 */
	long limitNanos(Renewals renewals) {
		LeaseTerms terms = renewals.terms();
		long left = renewals.deadline() - this.sentAt;
		long most = (left > 0) ? terms.callLimitNanos(left) : terms.callLimitNanos();
		return this.hung ? most : Math.min(most, Math.max(firstTry(terms), SLOWER * this.answeredNanos));
	}

	/** Returns whether the lease will probably be over before a call is answered. */
	public boolean isTooLate(Renewals renewals, ClockReading now) {
		return renewals.deadline() - now.holderNanos() < SLOWER * this.answeredNanos;
	}

	Heartbeats confirmed(ClockReading now) {
		return new Heartbeats(this.underWay, this.nextAt, 0, null, false, now.holderNanos() - this.sentAt, this.sentAt);
	}

	Heartbeats failed(LeaseTerms terms, @Nullable Throwable cause, ClockReading now) {
		boolean slowly = now.holderNanos() - this.sentAt >= firstTry(terms) / 2;
		return new Heartbeats(this.underWay, this.nextAt, this.failures + 1, cause, slowly, this.answeredNanos,
				this.sentAt);
	}

	private static long firstTry(LeaseTerms terms) {
		return Math.max(LeaseTerms.SHORTEST_CALL_LIMIT_NANOS, terms.validityNanos() / TRIES_IN_A_LEASE);
	}

	/**
	 * When the first heartbeat is due. A random delay of half a period to a whole one
	 * spreads the locks of a burst. After a hand-on, the heartbeat is due at most one
	 * period after the claim.
	 */
	long firstNanos(Renewals renewals, ClockReading now, double fraction) {
		long sinceAnswer = now.holderNanos() - this.sentAt - this.answeredNanos;
		long spread = Math.min((long) (period(renewals) * (0.5 + 0.5 * fraction)), period(renewals) - sinceAnswer);
		return Math.max(0, Math.min(spread, latestNanos(renewals.deadline(), now)));
	}

	/**
	 * When the next heartbeat is due: 90 to 100 % of a period after the last one was
	 * sent, or after a back-off if the last one failed.
	 */
	long nextNanos(Renewals renewals, ClockReading now, double fraction) {
		long left = renewals.deadline() - now.holderNanos();
		if (this.failures == 0) {
			long sentAgo = now.holderNanos() - this.sentAt;
			return Math.min((long) (period(renewals) * (0.9 + 0.1 * fraction)) - sentAgo,
					latestNanos(renewals.deadline(), now));
		}
		// A long lease has few retries, because each of them must be remembered.
		long backoff = Nanos.backoff(this.failures, Math.max(Nanos.LONGEST_BACKOFF, left / 10), fraction);
		long shortest = Math.min(SHORTEST_RETRY, renewals.terms().validityNanos() / TRIES_IN_A_LEASE);
		return Math.min(backoff, Math.max(shortest, left / 4));
	}

	/**
	 * The longest time until a heartbeat, whatever the period: half the remaining lease.
	 * After a late confirmation, less of the lease remains.
	 */
	private static long latestNanos(long deadline, ClockReading now) {
		return Math.max(0, (deadline - now.holderNanos()) / 2);
	}

	private static long period(Renewals renewals) {
		return renewals.terms().heartbeatPeriod().toNanos();
	}

}
