/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.util.function.BiConsumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.ClockReading;

/** The effects of a {@link Lease}'s transitions, which its runner carries out. */
public interface LeaseEffects {

	/** Sends the heartbeat that is due. */
	void heartbeat();

	/** Sends a heartbeat that a caller asked for. */
	void heartbeatOnDemand();

	void release(Ending ending);

	void report(BiConsumer<LockListener, HeldLock> event);

	/**
	 * Reports that a heartbeat was confirmed.
	 * @param sentAt when the heartbeat, or a later call, was sent, on
	 * {@link ClockReading#holderNanos()}
	 */
	void renewed(LockRecord record, long sentAt);

	void renewalFailed(Throwable cause);

	default void contended() {
		report(LockListener::onContended);
	}

	/** Reports that the lock will be lost soon. */
	void expiring();

	/** Reports that the lock will no longer be lost soon. */
	void recovered();

	void lost(LossReason reason);

	/** Notes that this client no longer holds the lock. */
	void ended();

}
