/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.util.Set;
import java.util.function.Predicate;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * The release of a lease, of a lock that an ended acquisition may have taken, or of
 * another owner's lock. It is retried until the lease is over or ten seconds have passed,
 * whichever is later. It names the record version numbers that it releases, so it can be
 * repeated safely after the lease. If they are unknown, a consistent read shows the lock
 * first. After an unanswered release, a missing lock or a later grant means that the
 * release was applied. An item that is marked as kept is released by an update instead of
 * a deletion.
 */
public final class Release extends RetriedWrite {

	private static final int MOST_REFUSALS = 3;

	private static final long SHORTEST_RETRY_TIME = 10_000_000_000L;

	/** Whether a lock that is held should be released. */
	private final Predicate<LockRecord> wanted;

	/** Whether a later acquisition by the same owner stays held. */
	private final boolean once;

	/** Whether no caller waits for it. */
	private final boolean background;

	/** The end of the lease, on the holder's clock. */
	private final long deadline;

	/** The record version number of the lease's claim, or {@code null}. */
	private final @Nullable String claim;

	/** The lock to release, or {@code null} until a read has shown it. */
	private @Nullable LockRecord lock;

	/** Every record version number under which the lock may be held. */
	private Set<String> versions;

	/** The changes of unconfirmed heartbeats. */
	private ItemChange unconfirmed;

	private boolean deleteItem;

	private ItemChange change;

	private int refusals;

	/**
	 * Creates the release of a lease that heartbeats no longer renew.
	 * @param change how data and attributes change if the item is not deleted
	 */
	public Release(Renewals lease, boolean deleteItem, ItemChange change, Randomness randomness) {
		super(lease.key(), lease.terms(), randomness);
		this.wanted = lease::wrote;
		this.once = false;
		this.background = false;
		this.deadline = lease.deadline();
		this.claim = lease.claim();
		this.lock = lease.record();
		this.versions = lease.versions();
		this.unconfirmed = lease.changes().all();
		this.deleteItem = deleteItem;
		this.change = change;
	}

	private Release(LockKey key, LeaseTerms terms, Predicate<LockRecord> wanted, boolean background, boolean deleteItem,
			ItemChange change, Randomness randomness) {
		super(key, terms, randomness);
		this.wanted = wanted;
		this.once = !background;
		this.background = background;
		this.deadline = Long.MIN_VALUE;
		this.claim = null;
		this.versions = Set.of();
		this.unconfirmed = ItemChange.none();
		this.deleteItem = deleteItem;
		this.change = change;
		this.reading = true;
	}

	/**
	 * Creates the release of a lock that unanswered claims of an ended acquisition may
	 * have taken. A claim that is applied after this release expires with its lease,
	 * because no heartbeat renews it.
	 * @param undo how data and attributes change if the item is not deleted
	 */
	public static Release cleanUp(LockKey key, LeaseTerms terms, Set<String> unresolved, boolean deleteItem,
			ItemChange undo, Randomness randomness) {
		return new Release(key, terms, (found) -> unresolved.contains(found.recordVersionNumber()), true, deleteItem,
				undo, randomness);
	}

	/**
	 * Creates an administrator's release of another owner's lock.
	 * @param terms determine how long the item stays after the release
	 */
	public static Release forced(LockKey key, String expectedOwner, LeaseTerms terms, boolean deleteItem,
			Randomness randomness) {
		return new Release(key, terms, (found) -> found.ownerName().equals(expectedOwner), false, deleteItem,
				ItemChange.none(), randomness);
	}

	/** Prepares another start, after an end that did not release the lock. */
	public void askAgain(ItemChange change) {
		this.change = change;
		this.refusals = 0;
	}

	@Override
	long until(ClockReading now) {
		return Math.max(this.deadline, Nanos.later(now.holderNanos(), SHORTEST_RETRY_TIME));
	}

	@Override
	LockWrite write(String recordVersionNumber, ClockReading now) {
		// Names only versions of this lock, never a successor's.
		return new LockWrite.Release(this.key, recordVersionNumber, this.versions, this.deleteItem,
				this.unconfirmed.then(this.change), this.terms.expiresAt(now));
	}

	@Override
	Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Applied applied) {
			return Step.Released.freed(this.lock != null && applied.isContended(this.lock.ownerName()));
		}
		if (answer instanceof Answer.Failed failed) {
			return refused(failed, now);
		}
		LockRecord found = answer.shown();
		boolean mayBeDone = (wrote(found) || mayBeApplied()) && !isRenewed(found);
		boolean isLeft = this.once && mayBeDone;
		if (found == null || found.isReleased() || !this.wanted.test(found) || isLeft) {
			return mayBeDone ? Step.Released.freed(false) : Step.Released.not(found);
		}
		if (!this.versions.contains(found.recordVersionNumber())) {
			this.lock = found;
			this.versions = Set.of(found.recordVersionNumber());
		}
		else if (this.deleteItem) {
			// Only the mark of a kept item can have refused the deletion of this version.
			this.deleteItem = false;
			return write(now);
		}
		return writeNext("the release was refused although the item still contains that lock", now);
	}

	/**
	 * Whether a later renewal wrote the record: it has the same owner, fencing token and
	 * acquisition time. The token alone is not enough. After a deletion, another owner
	 * may have the same token, and so may a late or repeated claim of this owner.
	 */
	private boolean isRenewed(@Nullable LockRecord found) {
		return found != null && !found.isReleased() && this.lock != null
				&& !found.recordVersionNumber().equals(this.claim) && found.ownerName().equals(this.lock.ownerName())
				&& LockWrite.Claim.reserves(found.fencingToken(), this.lock.fencingToken())
				&& (this.lock.acquiredAt().isEmpty() || found.acquiredAt().equals(this.lock.acquiredAt()));
	}

	private Step refused(Answer.Failed failed, ClockReading now) {
		if (Renewals.lossShownBy(failed.failure()) != null) {
			return new Step.Failed(failed.failure());
		}
		// The change of an unconfirmed heartbeat may be the reason.
		this.unconfirmed = ItemChange.none();
		// A missing permission may be granted within moments. Later, retries hardly help.
		this.refusals++;
		return retry(new Answer.NotApplied(failed.failure()), now);
	}

	@Override
	long backoff(int failures, double fraction) {
		// In an outage, there may be many cleanups.
		return super.backoff(this.background ? failures + 2 : failures, fraction);
	}

	@Override
	boolean mayRetry(ClockReading now) {
		return this.refusals < MOST_REFUSALS && super.mayRetry(now);
	}

	@Override
	long longestNanos() {
		return Step.Call.LONGEST_NANOS;
	}

	@Override
	Step unconfirmed() {
		String lease = (this.lock == null) ? "one lease" : LogText.of(this.lock.leaseDuration());
		return failed("The release of lock '" + this.key
				+ (mayBeApplied() ? "' could not be confirmed; unless it was applied"
						: "' did not succeed; unless another release does")
				+ ", the lock expires " + lease + " after its last heartbeat");
	}

}
