/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Answer;

/**
 * What each answer to a heartbeat, or to the read that settles one, means for a lease
 * that is kept.
 */
final class HeartbeatAnswers implements Answer.Handler<HeldLease> {

	private final HeldLease lease;

	HeartbeatAnswers(HeldLease lease) {
		this.lease = lease;
	}

	@Override
	public HeldLease applied(Answer.Applied answer) {
		return this.lease.confirmed(this.lease.newest());
	}

	@Override
	public HeldLease refused(Answer.Refused answer) {
		return (answer.record() == null) ? this.lease.missing(true) : saw(answer.record());
	}

	@Override
	public HeldLease found(Answer.Found answer) {
		return (answer.record() == null) ? this.lease.lost(LossReason.ITEM_MISSING) : saw(answer.record());
	}

	@Override
	public HeldLease unknown(Answer.Unknown answer) {
		return this.lease;
	}

	@Override
	public HeldLease failed(Answer.Failed answer) {
		if (answer.failure() instanceof LockTableException table) {
			if (table.problem() == LockTableException.Problem.MISSING) {
				return this.lease.lost(LossReason.TABLE_MISSING);
			}
			if (table.problem() == LockTableException.Problem.NOT_A_LOCK) {
				return this.lease.lost(LossReason.STOLEN);
			}
		}
		// The heartbeats that follow must not fail for the same reason.
		return this.lease.withoutChange();
	}

	private HeldLease saw(LockRecord found) {
		if (!found.isReleased()) {
			if (found.recordVersionNumber().equals(this.lease.record().recordVersionNumber())) {
				return this.lease.missing(false);
			}
			for (Heartbeat heartbeat : this.lease.unresolved()) {
				if (heartbeat.recordVersionNumber().equals(found.recordVersionNumber())) {
					return this.lease.confirmed(heartbeat);
				}
			}
		}
		return this.lease.lost(this.lease.lossShownBy(found));
	}

}
