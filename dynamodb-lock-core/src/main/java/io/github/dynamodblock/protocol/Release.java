/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.util.HashSet;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * The release of one lease: one write, repeated while it is not answered, until the lease
 * is over and for ten seconds at least. It frees nothing but what this lease wrote, so
 * that it can be repeated after the lease. Once a release went unanswered, a lock that is
 * gone or another's means that it was applied.
 */
public final class Release implements Operation {

	private static final int MOST_REFUSALS = 3;

	private static final long SHORTEST_PATIENCE = 10_000_000_000L;

	private final HeldLease lease;

	private boolean deleteItem;

	private ItemChange change;

	/** Whether what renewals were to change is changed too. */
	private boolean withPending = true;

	private final Randomness randomness;

	private final Answer.Handler<Step> rules = new AnswerRules();

	private ClockReading now;

	/** Until when the write is repeated, on the holder's clock. */
	private long until;

	/** The versions that this release wrote, if it was applied. */
	private final Set<String> sent = new HashSet<>();

	private int attempts;

	/** Whether a call went unanswered, so that it may have been applied. */
	private boolean mayBeApplied;

	private int refused;

	private boolean confirming;

	private Answer.@Nullable Unknown lastProblem;

	/**
	 * A release that has not begun.
	 * @param lease the lease
	 * @param deleteItem whether to delete the lock's item
	 * @param change what happens to data and attributes of an item that is kept
	 * @param randomness where identifiers and jitter come from
	 * @param now the time
	 */
	public Release(HeldLease lease, boolean deleteItem, ItemChange change, Randomness randomness, ClockReading now) {
		this.lease = lease;
		this.deleteItem = deleteItem;
		this.change = change;
		this.randomness = randomness;
		this.now = now;
	}

	/**
	 * Asks once more, after an end that did not free the lock.
	 * @param deleteItem whether to delete the lock's item
	 * @param change what happens to data and attributes of an item that is kept
	 */
	public void askAgain(boolean deleteItem, ItemChange change) {
		this.deleteItem = deleteItem;
		this.change = change;
		this.refused = 0;
	}

	@Override
	public Step start(ClockReading now) {
		this.now = now;
		this.until = Math.max(this.lease.deadline(), Nanos.later(now.holderNanos(), SHORTEST_PATIENCE));
		return next();
	}

	@Override
	public Step wake(ClockReading now) {
		this.now = now;
		return (leftNanos() > 0 || this.lastProblem == null) ? next() : failed(this.lastProblem);
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		this.now = now;
		return answer.accept(this.rules);
	}

	private Step next() {
		if (this.confirming) {
			return new Step.Read(this.lease.key(), true, limitNanos());
		}
		String version = this.randomness.recordVersionNumber();
		this.sent.add(version);
		ItemChange all = this.withPending ? this.lease.pending().then(this.change) : this.change;
		return new Step.Write(LeaseCalls.release(this.lease, version, this.deleteItem, all, this.now), limitNanos());
	}

	/**
	 * The lock is not this lease's: because of an earlier release, or of somebody else.
	 */
	private Step gone(@Nullable LockRecord found) {
		boolean applied = found != null && this.sent.contains(found.recordVersionNumber());
		return (applied || this.mayBeApplied) ? Step.Released.FREED : Step.Released.lost(this.lease.lossShownBy(found));
	}

	private Step retry(Answer.Unknown problem) {
		this.attempts++;
		this.lastProblem = problem;
		if (leftNanos() <= 0) {
			return failed(problem);
		}
		long pause = Math.min(leftNanos(), Backoff.nanos(this.attempts, this.randomness.fraction()));
		return new Step.Wait(Nanos.later(this.now.observerNanos(), pause));
	}

	private long leftNanos() {
		return this.until - this.now.holderNanos();
	}

	private long limitNanos() {
		return Math.max(1, Math.min(LeaseTerms.CALL_LIMIT_NANOS, leftNanos()));
	}

	private Step failed(Answer.Unknown problem) {
		String what = this.mayBeApplied ? "' could not be confirmed; unless it was applied"
				: "' was refused; unless another release succeeds";
		return new Step.Failed(new LockStoreException("The release of lock '" + this.lease.key() + what
				+ ", the lock frees itself " + this.lease.terms().leaseDuration()
				+ " after its last heartbeat. The last call: " + problem.description(), problem.origin()));
	}

	/**
	 * What each answer means.
	 */
	private final class AnswerRules implements Answer.Handler<Step> {

		@Override
		public Step applied(Answer.Applied answer) {
			return Step.Released.FREED;
		}

		@Override
		public Step refused(Answer.Refused answer) {
			if (answer.record() != null) {
				return gone(answer.record());
			}
			Release.this.confirming = true;
			return next();
		}

		@Override
		public Step found(Answer.Found answer) {
			@Nullable LockRecord record = answer.record();
			if (record == null || record.isReleased() || !Release.this.lease.wrote(record)) {
				return gone(record);
			}
			Release.this.confirming = false;
			return retry(new Answer.Unknown(
					new IllegalStateException("the release was refused although the lock is this lease's")));
		}

		@Override
		public Step unknown(Answer.Unknown answer) {
			Release.this.mayBeApplied |= !Release.this.confirming;
			return retry(answer);
		}

		@Override
		public Step failed(Answer.Failed answer) {
			if (answer.failure() instanceof LockTableException table) {
				boolean missing = table.problem() == LockTableException.Problem.MISSING;
				return Step.Released.lost(missing ? LossReason.TABLE_MISSING : LossReason.STOLEN);
			}
			// It may have been refused for a change that nobody can tell of any more.
			Release.this.withPending = false;
			// Rights and credentials may come back at once, but hardly later.
			Answer.Unknown problem = new Answer.Unknown(answer.failure());
			return (++Release.this.refused < MOST_REFUSALS) ? retry(problem) : Release.this.failed(problem);
		}

	}

}
