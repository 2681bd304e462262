/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import io.github.dynamodblock.ItemChange;

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
		return lease.seemsMissing() ? new Step.Read(lease.key(), true, limit)
				: new Step.Write(renewal(lease, now).write(), limit);
	}

	/**
	 * The heartbeat that {@link HeldLease#renewing} announced.
	 * @param lease the lease
	 * @param now the time before it is sent
	 * @return the write and its time limit
	 */
	public static Step.Write renewal(HeldLease lease, ClockReading now) {
		Heartbeat heartbeat = lease.newest();
		LockWrite.Renew write = new LockWrite.Renew(lease.key(), heartbeat.recordVersionNumber(),
				lease.record().recordVersionNumber(), heartbeat.terms().leaseDuration(),
				heartbeat.change().against(lease.record().attributes().keySet()), heartbeat.timestamps());
		return new Step.Write(write, limit(lease, now));
	}

	/**
	 * The consistent read that settles whether the item is gone.
	 * @param lease the lease
	 * @param now the time before it is sent
	 * @return the read and its time limit
	 */
	public static Step.Read confirmation(HeldLease lease, ClockReading now) {
		return new Step.Read(lease.key(), true, limit(lease, now));
	}

	/**
	 * The release: one write on every record version number that may be this lease's, and
	 * on nothing else, so that it can never free a successor's lock.
	 * @param lease the lease
	 * @param recordVersionNumber the fresh record version number
	 * @param deleteItem whether to delete the item
	 * @param change what happens to data and attributes of an item that is kept
	 * @param now the time before it is sent
	 * @return the write
	 */
	static LockWrite.Release release(HeldLease lease, String recordVersionNumber, boolean deleteItem, ItemChange change,
			ClockReading now) {
		ItemChange all = change.against(lease.record().attributes().keySet());
		return new LockWrite.Release(lease.key(), recordVersionNumber, lease.versions(),
				new LockWrite.Freeing(deleteItem, all, lease.terms().expiresAt(now)));
	}

	/** How long a call for the lease may take at most. */
	static long limit(HeldLease lease, ClockReading now) {
		long left = lease.deadline() - now.holderNanos();
		return (left > 0) ? lease.terms().callLimitNanos(left) : lease.terms().callLimitNanos();
	}

}
