/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;

/**
 * Retains a lock whose client closes before the time that it is to be held at least: the
 * rest of that time becomes its lease. If a heartbeat that was under way is applied
 * first, the refusal shows that, and the write is sent again on its version. Nothing is
 * reported if it is not confirmed: the lock is then held for its lease.
 */
public final class Retention extends RetriedWrite {

	private final Renewals lease;

	private final LeaseTerms rest;

	private final ItemChange change;

	/** The version to replace. */
	private String expected;

	/**
	 * A retention.
	 * @param rest for how much longer the lock is to be held, positive
	 * @param change what its holder wanted the release to change in the item
	 */
	public Retention(Renewals lease, Duration rest, ItemChange change, Randomness randomness) {
		super(lease.key(), lease.terms(), randomness);
		this.lease = lease;
		// The item stores whole milliseconds, and the lock must not be free too early.
		this.rest = this.terms.withLeaseDuration(Duration.ofMillis(rest.toMillis() + 1));
		this.change = lease.changes().all().then(change);
		this.expected = lease.record().recordVersionNumber();
	}

	@Override
	LockWrite write(String recordVersionNumber, ClockReading now) {
		return new LockWrite.Renew(this.key, recordVersionNumber, this.expected, this.rest.leaseDuration(), this.change,
				this.rest.timestamps(now));
	}

	@Override
	Step decide(Answer answer, ClockReading now) {
		LockRecord found = answer.shown();
		if (found == null || found.isReleased() || !this.lease.wrote(found)) {
			return unconfirmed();
		}
		this.expected = found.recordVersionNumber();
		return writeNext("an earlier heartbeat was applied first", now);
	}

	@Override
	Step unconfirmed() {
		return new Step.Settled();
	}

}
