/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.protocol.AttributeReplacement;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;

/**
 * The calls that keep, confirm and free a lease. Their time limits come from the validity
 * that is left.
 */
public final class LeaseCalls {

	private LeaseCalls() {
	}

	/**
	 * The next call that keeps the lease: the heartbeat that {@link HeldLease#renewing}
	 * announced, or the read that settles whether the item is gone.
	 * @param lease the lease
	 * @param history how long earlier calls took
	 * @param now the time before it is sent
	 * @return the call and its time limit
	 */
	public static Step.Call heartbeat(HeldLease lease, CallHistory history, ClockReading now) {
		long limit = history.limitNanos(lease, now);
		return lease.seemsMissing() ? new Step.Read(lease.key(), true, limit) : new Step.Write(renewal(lease), limit);
	}

	/**
	 * The heartbeat that {@link HeldLease#renewing} announced.
	 * @param lease the lease
	 * @return the write
	 */
	static LockWrite.Renew renewal(HeldLease lease) {
		HeldLease.Heartbeat heartbeat = lease.newest();
		return new LockWrite.Renew(lease.key(), heartbeat.recordVersionNumber(), lease.record().recordVersionNumber(),
				heartbeat.terms().leaseDuration(),
				AttributeReplacement.resolve(heartbeat.change(), lease.record().attributes().keySet()),
				heartbeat.timestamps());
	}

	/** How long a call for the lease may take at most. */
	static long limit(HeldLease lease, ClockReading now) {
		long left = lease.deadline() - now.holderNanos();
		return (left > 0) ? lease.terms().callLimitNanos(left) : lease.terms().callLimitNanos();
	}

}
