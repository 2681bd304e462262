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
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.AttributeReplacement;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * The release of one lease, retried until the lease is over and for ten seconds at least.
 * It frees only what this lease wrote, so that it can be repeated after the lease. Once a
 * release had no answer, a lock that is gone or another owner's means that it was
 * applied.
 */
public class Release extends RetriedWrite {

	private static final int MOST_REFUSALS = 3;

	private static final long SHORTEST_RETRY_TIME = 10_000_000_000L;

	private final HeldLease lease;

	private boolean deleteItem;

	private ItemChange change;

	/** Whether the release also makes the changes that no heartbeat has confirmed. */
	private boolean withPending = true;

	/** Until when the write is retried, on the holder's clock. */
	private long until;

	private int refusals;

	/**
	 * A release that has not begun.
	 * @param lease the lease
	 * @param deleteItem whether to delete the lock's item
	 * @param change what happens to data and attributes of an item that is kept
	 * @param randomness the source of identifiers and jitter
	 * @param now the time
	 */
	public Release(HeldLease lease, boolean deleteItem, ItemChange change, Randomness randomness, ClockReading now) {
		super(lease.key(), lease.terms(), randomness);
		this.lease = lease;
		this.deleteItem = deleteItem;
		this.change = change;
		this.until = lastRetry(now);
	}

	/**
	 * Prepares another start, after an end that did not free the lock.
	 * @param deleteItem whether to delete the lock's item
	 * @param change what happens to data and attributes of an item that is kept
	 */
	public void askAgain(boolean deleteItem, ItemChange change) {
		this.deleteItem = deleteItem;
		this.change = change;
		this.refusals = 0;
	}

	@Override
	public Step start(ClockReading now) {
		this.until = lastRetry(now);
		return next(now);
	}

	private long lastRetry(ClockReading now) {
		return Math.max(this.lease.deadline(), Nanos.later(now.holderNanos(), SHORTEST_RETRY_TIME));
	}

	@Override
	public Step wake(ClockReading now) {
		return (retryNanos(now) > 0) ? next(now) : unconfirmed();
	}

	@Override
	protected LockWrite write(String recordVersionNumber, ClockReading now) {
		ItemChange all = this.withPending ? this.lease.pending().then(this.change) : this.change;
		// Every version that may be this lease's and no other: never a successor's lock.
		return new LockWrite.Release(this.lease.key(), recordVersionNumber, this.lease.versions(),
				new LockWrite.Freeing(this.deleteItem,
						AttributeReplacement.resolve(all, this.lease.record().attributes().keySet()),
						this.lease.terms().expiresAt(now)));
	}

	@Override
	protected Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Applied) {
			return Step.Released.FREED;
		}
		if (answer instanceof Answer.Unknown problem) {
			return retry(problem, now);
		}
		if (answer instanceof Answer.Failed failed) {
			return failed(failed.failure(), now);
		}
		LockRecord found = answer.shown();
		if (answer instanceof Answer.Refused && found == null) {
			return read(now);
		}
		if (answer instanceof Answer.Found && found != null && !found.isReleased() && this.lease.wrote(found)) {
			return writeAgain("the release was refused although the lock is this lease's", now);
		}
		return gone(found, wrote(found) || mayBeApplied());
	}

	/**
	 * The lock is not this lease's.
	 * @param found the lock as it is, or {@code null} if it has no item
	 * @param byThis whether an earlier write of this release explains that
	 */
	Step gone(@Nullable LockRecord found, boolean byThis) {
		return byThis ? Step.Released.FREED : Step.Released.lost(this.lease.lossShownBy(found));
	}

	private Step failed(LockException failure, ClockReading now) {
		if (failure instanceof LockTableException table) {
			return tableLost(table);
		}
		// The change of an earlier heartbeat may be the reason for the refusal.
		this.withPending = false;
		// Permissions and credentials may come back at once, but hardly later.
		this.refusals++;
		return retry(new Answer.Unknown(failure), now);
	}

	/** The table is missing, or has another kind of item in the lock's place. */
	Step tableLost(LockTableException failure) {
		boolean missing = failure.problem() == LockTableException.Problem.MISSING;
		return Step.Released.lost(missing ? LossReason.TABLE_MISSING : LossReason.STOLEN);
	}

	@Override
	protected long limitNanos(ClockReading now) {
		return Math.max(1, Math.min(Step.Call.LONGEST_NANOS, this.until - now.holderNanos()));
	}

	@Override
	protected long retryNanos(ClockReading now) {
		return (this.refusals < MOST_REFUSALS) ? this.until - now.holderNanos() : 0;
	}

	@Override
	protected Step unconfirmed() {
		return failed("The release of lock '" + this.lease.key()
				+ (mayBeApplied() ? "' could not be confirmed; unless it was applied"
						: "' was refused; unless another release succeeds")
				+ ", the lock expires " + Printable.of(this.lease.terms().leaseDuration())
				+ " after its last heartbeat");
	}

}
