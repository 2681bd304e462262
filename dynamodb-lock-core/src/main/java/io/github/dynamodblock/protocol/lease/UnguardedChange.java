/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;

/**
 * A change of a lock's item that does not acquire the lock. A read shows whether there is
 * an item. The write then changes the item, or creates the item of a released lock. Its
 * only condition is that the item still exists, or still doesn't.
 */
public final class UnguardedChange extends RetriedWrite {

	private final LockRecord wanted;

	private final ItemChange change;

	private boolean exists;

	/**
	 * Creates a change.
	 * @param wanted the lock to create, released, if there is no item
	 * @param change the change, which may be made more than once
	 */
	public UnguardedChange(LockRecord wanted, ItemChange change, LeaseTerms terms, Randomness randomness) {
		super(wanted.key(), terms, randomness);
		this.wanted = wanted;
		this.change = change;
		this.reading = true;
	}

	@Override
	LockWrite write(String recordVersionNumber, ClockReading now) {
		LockRecord created = this.wanted.toBuilder().recordVersionNumber(recordVersionNumber).released(true).build();
		return new LockWrite.Change(this.key, recordVersionNumber, this.exists ? null : created, this.change);
	}

	@Override
	Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Failed failed) {
			return new Step.Failed(failed.failure());
		}
		if (answer instanceof Answer.Applied applied) {
			return (applied.record() == null) ? read(now) : new Step.Changed(applied.record());
		}
		this.exists = answer.shown() != null;
		return writeNext("the item was created or deleted at the same time", now);
	}

	@Override
	Step unconfirmed() {
		return failed("The change of lock '" + this.key + "' could not be confirmed; read the lock again");
	}

}
