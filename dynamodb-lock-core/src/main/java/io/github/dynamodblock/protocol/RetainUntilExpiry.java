/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;

/**
 * Leaves a lock in the table, for others to wait out, when its client closes before the
 * time that the lock was to be held at least: one last write makes the rest of that time
 * its lease.
 */
public final class RetainUntilExpiry implements Operation {

	private static final int MOST_ATTEMPTS = 5;

	private final HeldLease lease;

	private final Duration rest;

	private final ItemChange change;

	private final Randomness randomness;

	private String expected;

	private int attempts;

	/**
	 * A leaving that has not begun.
	 * @param lease the lease
	 * @param rest how long the lock is to be held yet, positive
	 * @param change what its holder wanted the release to change in the item
	 * @param randomness where identifiers and jitter come from
	 */
	public RetainUntilExpiry(HeldLease lease, Duration rest, ItemChange change, Randomness randomness) {
		this.lease = lease;
		// The item stores whole milliseconds, and the lock must not be free too early.
		this.rest = Duration.ofMillis(rest.toMillis() + 1);
		this.change = lease.pending().then(change).against(lease.record().attributes().keySet());
		this.randomness = randomness;
		this.expected = lease.record().recordVersionNumber();
	}

	@Override
	public Step start(ClockReading now) {
		return next(now);
	}

	@Override
	public Step wake(ClockReading now) {
		return next(now);
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		boolean mayRetry = ++this.attempts < MOST_ATTEMPTS;
		if (mayRetry && answer instanceof Answer.Refused refused && refused.record() != null
				&& isOurs(refused.record())) {
			// A heartbeat that was under way has been applied first.
			this.expected = refused.record().recordVersionNumber();
			return next(now);
		}
		if (mayRetry && answer instanceof Answer.Unknown) {
			long pause = Backoff.nanos(this.attempts, this.randomness.fraction());
			return new Step.Wait(Nanos.later(now.observerNanos(), pause));
		}
		return new Step.Settled();
	}

	private boolean isOurs(LockRecord record) {
		return !record.isReleased() && this.lease.wrote(record);
	}

	private Step next(ClockReading now) {
		LockWrite.Renew write = new LockWrite.Renew(this.lease.key(), this.randomness.recordVersionNumber(),
				this.expected, this.rest, this.change, this.lease.terms().withLeaseDuration(this.rest).timestamps(now));
		return new Step.Write(write, this.lease.terms().callLimitNanos());
	}

}
