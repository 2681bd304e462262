/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.Printable;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * The release of one lease, retried until the lease is over and for ten seconds at least.
 * It releases only what this lease wrote, so that it can be repeated after the lease.
 * Once a release had no answer, a lock that is gone or another owner's means that it was
 * applied.
 */
public final class Release extends RetriedWrite {

	private static final int MOST_REFUSALS = 3;

	private static final long SHORTEST_RETRY_TIME = 10_000_000_000L;

	private final HeldLease lease;

	/** Whether no handle reports a loss, so that the end says who has the lock. */
	private final boolean byToken;

	private boolean deleteItem;

	private ItemChange change;

	/** Whether the release also makes the changes that no heartbeat has confirmed. */
	private boolean withUnconfirmed = true;

	/** Until when the write is retried, on the holder's clock. */
	private long until;

	private int refusals;

	/**
	 * The release of a lock by its handle.
	 * @param change what happens to data and attributes of an item that is kept
	 */
	public Release(HeldLease lease, boolean deleteItem, ItemChange change, Randomness randomness) {
		this(lease, false, deleteItem, change, randomness);
	}

	private Release(HeldLease lease, boolean byToken, boolean deleteItem, ItemChange change, Randomness randomness) {
		super(lease.key(), lease.terms(), randomness);
		this.lease = lease;
		this.byToken = byToken;
		this.deleteItem = deleteItem;
		this.change = change;
	}

	/** Returns the release of a detached lock by the token that describes the lease. */
	public static Release byToken(HeldLease lease, boolean deleteItem, Randomness randomness) {
		return new Release(lease, true, deleteItem, ItemChange.none(), randomness);
	}

	/** Prepares another start, after an end that did not release the lock. */
	public void askAgain(boolean deleteItem, ItemChange change) {
		this.deleteItem = deleteItem;
		this.change = change;
		this.refusals = 0;
	}

	@Override
	public Step start(ClockReading now) {
		this.until = Math.max(this.lease.deadline(), Nanos.later(now.holderNanos(), SHORTEST_RETRY_TIME));
		return next(now);
	}

	@Override
	public Step wake(ClockReading now) {
		return (retryNanos(now) > 0) ? next(now) : unconfirmed();
	}

	@Override
	LockWrite write(String recordVersionNumber, ClockReading now) {
		ItemChange all = this.withUnconfirmed ? this.lease.unconfirmed().then(this.change) : this.change;
		// Every version that may be this lease's and no other: never a successor's lock.
		return new LockWrite.Release(this.key, recordVersionNumber, this.lease.versions(),
				new LockWrite.Freeing(this.deleteItem, this.lease.resolved(all), this.terms.expiresAt(now)));
	}

	@Override
	Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Applied) {
			return Step.Released.FREED;
		}
		if (answer instanceof Answer.Failed failed) {
			return failed(failed.failure(), now);
		}
		LockRecord found = answer.shown();
		if (answer instanceof Answer.Found && found != null && !found.isReleased() && this.lease.wrote(found)) {
			return writeAgain("the release was refused although the lock is this lease's", now);
		}
		return gone(found, wrote(found) || mayBeApplied());
	}

	/**
	 * The lock is not this lease's, which an earlier write of this release may explain.
	 */
	private Step gone(@Nullable LockRecord found, boolean byThis) {
		if (!this.byToken) {
			return byThis ? Step.Released.FREED : Step.Released.lost(this.lease.lossShownBy(found));
		}
		if (found == null || found.isReleased()) {
			return byThis ? Step.Released.FREED : new Step.Released(ReleaseOutcome.ALREADY_FREE);
		}
		// Every new owner has a greater fencing token: the same one is a later renewal.
		boolean renewed = found.fencingToken().equals(this.lease.record().fencingToken());
		return (byThis && !renewed) ? Step.Released.FREED : new Step.Released(ReleaseOutcome.HELD_BY_ANOTHER);
	}

	private Step failed(LockException failure, ClockReading now) {
		if (failure instanceof LockTableException table) {
			if (this.byToken) {
				return new Step.Failed(failure);
			}
			boolean missing = table.problem() == LockTableException.Problem.MISSING;
			return Step.Released.lost(missing ? LossReason.TABLE_MISSING : LossReason.STOLEN);
		}
		// The change of an earlier heartbeat may be the reason for the refusal.
		this.withUnconfirmed = false;
		// Permissions and credentials may come back at once, but hardly later.
		this.refusals++;
		return retry(new Answer.Unknown(failure), now);
	}

	@Override
	long limitNanos(ClockReading now) {
		return Math.max(1, Math.min(Step.Call.LONGEST_NANOS, this.until - now.holderNanos()));
	}

	@Override
	long retryNanos(ClockReading now) {
		return (this.refusals < MOST_REFUSALS) ? this.until - now.holderNanos() : 0;
	}

	@Override
	Step unconfirmed() {
		return failed("The release of lock '" + this.key
				+ (mayBeApplied() ? "' could not be confirmed; unless it was applied"
						: "' was refused; unless another release succeeds")
				+ ", the lock expires " + Printable.of(this.terms.leaseDuration()) + " after its last heartbeat");
	}

}
