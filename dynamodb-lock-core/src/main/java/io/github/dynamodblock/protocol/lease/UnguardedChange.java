/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.AttributeReplacement;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * A change of a lock's item that does not acquire the lock, retried for the time of two
 * calls. A read shows whether there is an item: the write then changes the item, or
 * creates that of a released lock. Its condition is only that this is still so.
 */
public final class UnguardedChange extends RetriedWrite {

	/** The released lock to create, but for its record version number. */
	private final LockRecord created;

	private final ItemChange change;

	/** The lock as it was read last, or {@code null} if it has no item. */
	private @Nullable LockRecord found;

	private boolean refused;

	private long retryUntil;

	/**
	 * A change.
	 * @param created the released lock that is created if there is no item
	 * @param change the change, which may be made more than once
	 * @param terms the client's terms
	 */
	public UnguardedChange(LockRecord created, ItemChange change, LeaseTerms terms, Randomness randomness) {
		super(created.key(), terms, randomness);
		this.created = created;
		this.change = change;
	}

	@Override
	public Step start(ClockReading now) {
		this.retryUntil = Nanos.later(now.observerNanos(), 2 * this.terms.callLimitNanos());
		return read(now);
	}

	@Override
	LockWrite write(String recordVersionNumber, ClockReading now) {
		LockRecord released = this.created.toBuilder().recordVersionNumber(recordVersionNumber).build();
		ItemChange resolved = (this.found == null) ? this.change
				: AttributeReplacement.resolve(this.change, this.found.attributes().keySet());
		return new LockWrite.Change(released, this.found == null, resolved);
	}

	@Override
	Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Failed failed) {
			return new Step.Failed(failed.failure());
		}
		if (answer instanceof Answer.Applied applied) {
			LockRecord changed = applied.record();
			if (changed == null) {
				return read(now);
			}
			this.found = changed;
			boolean incomplete = AttributeReplacement.isIncomplete(this.change, changed.attributes().keySet());
			return incomplete ? write(now) : new Step.Changed(changed);
		}
		this.found = answer.shown();
		this.refused |= answer instanceof Answer.Refused;
		return this.refused ? writeAgain("the item was created or deleted at the same time", now) : write(now);
	}

	@Override
	long retryNanos(ClockReading now) {
		return this.retryUntil - now.observerNanos();
	}

	@Override
	Step unconfirmed() {
		return failed("The change of lock '" + this.key + "' could not be confirmed; read the lock again");
	}

}
