/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The release of a detached lock by whoever presents its token: a {@link Release} whose
 * end says who has the lock instead, since there is no handle to say how it was lost.
 */
public final class TokenRelease implements Operation {

	private final HeldLease lease;

	private final Release release;

	/**
	 * A release that has not begun.
	 * @param lease the lease as the token tells it
	 * @param deleteItem whether to delete the lock's item
	 * @param randomness where identifiers and jitter come from
	 * @param now the time
	 */
	public TokenRelease(HeldLease lease, boolean deleteItem, Randomness randomness, ClockReading now) {
		this.lease = lease;
		this.release = new Release(lease, deleteItem, ItemChange.none(), randomness, now);
	}

	@Override
	public Step start(ClockReading now) {
		return this.release.start(now);
	}

	@Override
	public Step wake(ClockReading now) {
		return this.release.wake(now);
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Failed failed && failed.failure() instanceof LockTableException table) {
			// Nobody can say that a lock is free whose table is not there.
			return new Step.Failed(table);
		}
		Step step = this.release.answered(answer, now);
		return (step instanceof Step.Released released) ? new Step.Released(outcome(released, shownBy(answer)), null)
				: step;
	}

	private ReleaseOutcome outcome(Step.Released released, @Nullable LockRecord found) {
		if (found == null || found.isReleased()) {
			return (released.lossReason() == null) ? released.outcome() : ReleaseOutcome.ALREADY_FREE;
		}
		if (released.lossReason() == null) {
			// Every new owner has a greater fencing token, so this is a later renewal.
			boolean renewed = found.fencingToken().equals(this.lease.record().fencingToken());
			return renewed ? ReleaseOutcome.HELD_BY_ANOTHER : released.outcome();
		}
		return ReleaseOutcome.HELD_BY_ANOTHER;
	}

	private static @Nullable LockRecord shownBy(Answer answer) {
		if (answer instanceof Answer.Refused refused) {
			return refused.record();
		}
		return (answer instanceof Answer.Found found) ? found.record() : null;
	}

}
