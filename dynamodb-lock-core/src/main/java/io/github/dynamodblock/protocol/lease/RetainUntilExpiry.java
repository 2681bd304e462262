/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.AttributeReplacement;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;

/**
 * Retains a lock in the table when its client closes before the time that the lock is to
 * be held at least: one last write makes the rest of that time its lease.
 */
public final class RetainUntilExpiry extends RetriedWrite {

	private final HeldLease lease;

	private final Duration rest;

	private final ItemChange change;

	private String expected;

	/**
	 * An operation that has not begun.
	 * @param lease the lease
	 * @param rest for how much longer the lock is to be held, positive
	 * @param change what its holder wanted the release to change in the item
	 * @param randomness the source of identifiers and jitter
	 */
	public RetainUntilExpiry(HeldLease lease, Duration rest, ItemChange change, Randomness randomness) {
		super(lease.key(), lease.terms(), randomness);
		this.lease = lease;
		// The item stores whole milliseconds, and the lock must not be free too early.
		this.rest = Duration.ofMillis(rest.toMillis() + 1);
		this.change = AttributeReplacement.resolve(lease.pending().then(change), lease.record().attributes().keySet());
		this.expected = lease.record().recordVersionNumber();
	}

	@Override
	protected LockWrite write(String recordVersionNumber, ClockReading now) {
		return new LockWrite.Renew(this.lease.key(), recordVersionNumber, this.expected, this.rest, this.change,
				this.lease.terms().withLeaseDuration(this.rest).timestamps(now));
	}

	@Override
	protected Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Unknown problem) {
			return retry(problem, now);
		}
		LockRecord found = answer.shown();
		if (found != null && isOurs(found) && !found.recordVersionNumber().equals(this.expected)) {
			// A heartbeat that was under way was applied first.
			this.expected = found.recordVersionNumber();
			return write(now);
		}
		return new Step.Settled();
	}

	private boolean isOurs(LockRecord record) {
		return !record.isReleased() && this.lease.wrote(record);
	}

}
