/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;

/**
 * An administrator's release of another owner's lock: one write on the condition that the
 * owner still has it, retried for the time of two calls.
 */
public final class ForcedRelease extends RetriedWrite {

	private final String expectedOwner;

	private final boolean deleteItem;

	/**
	 * A forced release.
	 * @param expectedOwner who must hold it
	 * @param terms the client's terms, which say how long a released lock's item stays
	 */
	public ForcedRelease(LockKey key, String expectedOwner, LeaseTerms terms, boolean deleteItem,
			Randomness randomness) {
		super(key, terms, randomness);
		this.expectedOwner = expectedOwner;
		this.deleteItem = deleteItem;
	}

	@Override
	LockWrite write(String recordVersionNumber, ClockReading now) {
		return new LockWrite.ForcedRelease(this.key, recordVersionNumber, this.expectedOwner,
				new LockWrite.Freeing(this.deleteItem, ItemChange.none(), this.terms.expiresAt(now)));
	}

	@Override
	Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Applied) {
			return Step.Released.FREED;
		}
		if (answer instanceof Answer.Failed failed) {
			return new Step.Failed(failed.failure());
		}
		LockRecord found = answer.shown();
		if (found == null || found.isReleased()) {
			boolean byThis = (found == null) ? mayBeApplied() : wrote(found);
			return byThis ? Step.Released.FREED : new Step.Released(ReleaseOutcome.ALREADY_FREE);
		}
		return found.ownerName().equals(this.expectedOwner) ? writeAgain("the owner acquired the lock again", now)
				: new Step.Released(ReleaseOutcome.HELD_BY_ANOTHER);
	}

	@Override
	Step unconfirmed() {
		return failed("The forced release of lock '" + this.key + "' could not be confirmed; read the lock again");
	}

}
