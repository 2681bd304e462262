/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.util.function.Supplier;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The release of a lease in one transaction with items of the application: both commit,
 * or neither. It is repeated while the lease lasts, and no longer.
 *
 * <p>
 * It ends as {@link Step.Cancelled} only if no attempt is without an answer, so that the
 * lock can be held again. Otherwise an attempt that is still under way may be committed
 * later, and the lock is left until its lease ends. It is not released without the items
 * in the background: that would settle that they are never written, but a process that
 * finds the lock released could take them for written.
 */
public final class GuardedRelease implements Operation {

	private final HeldLease lease;

	private final Randomness randomness;

	/** The same in each attempt: a repetition that differs is not recognised as one. */
	private final LockWrite.Release release;

	private final GuardedWrite write;

	/**
	 * The release of a lock by its handle.
	 * @param lease the lease, which is kept
	 * @param transaction what to commit with the release
	 * @param change what happens to data and attributes of an item that is kept
	 */
	public GuardedRelease(HeldLease lease, Transaction transaction, boolean deleteItem, ItemChange change,
			Randomness randomness, ClockReading now) {
		this.lease = lease;
		this.randomness = randomness;
		ItemChange all = lease.resolved(lease.unconfirmed().then(change));
		this.release = new LockWrite.Release(lease.key(), randomness.recordVersionNumber(), lease.versions(),
				new LockWrite.Freeing(deleteItem, all, lease.terms().expiresAt(now)));
		this.write = new GuardedWrite(() -> lease, this.release, transaction, randomness);
	}

	/**
	 * Returns the release without the items, for a caller that asks for it after this one
	 * stayed unconfirmed. It recognises the effect of this one.
	 */
	public Release alone() {
		Release alone = new Release(this.lease, this.release.freeing().deleteItem(), ItemChange.none(),
				this.randomness);
		alone.mayHaveWritten(this.release.recordVersionNumber());
		return alone;
	}

	@Override
	public Step start(ClockReading now) {
		return step(this.write.start(now));
	}

	@Override
	public Step wake(ClockReading now) {
		return step(this.write.wake(now));
	}

	@Override
	public Step.@Nullable Call sending(Step.Call call, Supplier<ClockReading> clock) {
		return this.write.sending(call, clock);
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Refused refused && isWritten(refused.record())) {
			return Step.Released.FREED;
		}
		return step(this.write.answered(answer, now));
	}

	/** The store did not recognise the repetition of a release that was committed. */
	private boolean isWritten(@Nullable LockRecord found) {
		return found != null && found.recordVersionNumber().equals(this.release.recordVersionNumber());
	}

	private Step step(Step step) {
		if (step instanceof Step.Committed) {
			return Step.Released.FREED;
		}
		if (step instanceof Step.Lost lost) {
			// The store recognises a repetition of what was committed, so that nothing
			// was; and versions are not used twice, so that nothing will be.
			return Step.Released.lost(lost.reason());
		}
		if (step instanceof Step.NotHeld) {
			return new Step.Cancelled(new LockStoreException(
					"The release with items of lock '" + this.lease.key() + "' was not sent before its lease ended",
					null));
		}
		if (step instanceof Step.Failed failed && !this.write.mayBeCommitted()) {
			return new Step.Cancelled(failed.failure());
		}
		return step;
	}

}
