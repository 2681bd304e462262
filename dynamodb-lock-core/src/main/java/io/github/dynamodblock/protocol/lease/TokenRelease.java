/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * The release of a detached lock by its token. There is no handle to report a loss to, so
 * the end says whether another owner has the lock.
 */
public final class TokenRelease extends Release {

	private final HeldLease lease;

	/**
	 * A release that has not begun.
	 * @param lease the lease that the token describes
	 * @param deleteItem whether to delete the lock's item
	 * @param randomness the source of identifiers and jitter
	 * @param now the time
	 */
	public TokenRelease(HeldLease lease, boolean deleteItem, Randomness randomness, ClockReading now) {
		super(lease, deleteItem, ItemChange.none(), randomness, now);
		this.lease = lease;
	}

	@Override
	Step gone(@Nullable LockRecord found, boolean byThis) {
		if (found == null || found.isReleased()) {
			return new Step.Released(byThis ? ReleaseOutcome.RELEASED : ReleaseOutcome.ALREADY_FREE, null);
		}
		// Every new owner has a greater fencing token, so the same one is a later
		// renewal.
		boolean renewed = found.fencingToken().equals(this.lease.record().fencingToken());
		return (byThis && !renewed) ? Step.Released.FREED : new Step.Released(ReleaseOutcome.HELD_BY_ANOTHER, null);
	}

	/** Without its table, the state of the lock is not known. */
	@Override
	Step tableLost(LockTableException failure) {
		return new Step.Failed(failure);
	}

}
