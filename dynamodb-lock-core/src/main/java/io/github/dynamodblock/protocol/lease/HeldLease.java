/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.AttributeReplacement;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lease that this process was granted. Immutable: each event gives the
 * next state, so that a holder swaps states atomically and no lock is needed. All times
 * are on {@link ClockReading#holderNanos()}.
 *
 * <ul>
 * <li>The lease is valid until its deadline, which counts from before the last confirmed
 * call was sent.</li>
 * <li>What happens at or after the deadline never revives it: a lost lease stays
 * lost.</li>
 * <li>No heartbeat keeps it beyond its limit, if its request set one.</li>
 * <li>A refusal that shows a record version number which this lease wrote is the success
 * of that earlier call.</li>
 * </ul>
 */
public final class HeldLease {

	/** The limit of a lease without one. */
	public static final long UNLIMITED = Long.MAX_VALUE;

	private final LockRecord record;

	private final LeaseTerms terms;

	private final long deadline;

	private final long limit;

	/** The heartbeats that were sent and may still be applied, in order. */
	private final List<Heartbeat> unresolved;

	private final Changes changes;

	private final boolean missing;

	private final Phase phase;

	private final @Nullable LossReason lossReason;

	private HeldLease(LockRecord record, LeaseTerms terms, long deadline, long limit, List<Heartbeat> unresolved,
			Changes changes, boolean missing, Phase phase, @Nullable LossReason lossReason) {
		this.record = record;
		this.terms = terms;
		this.deadline = deadline;
		this.limit = limit;
		this.unresolved = unresolved;
		this.changes = changes;
		this.missing = missing;
		this.phase = phase;
		this.lossReason = lossReason;
	}

	/**
	 * A lease that begins.
	 * @param record the lock as the granting write left it
	 * @param sentAt the time before the granting write was sent
	 */
	public static HeldLease granted(LockRecord record, LeaseTerms terms, long sentAt) {
		return new HeldLease(record, terms, terms.validUntil(sentAt), UNLIMITED, List.of(), Changes.NONE, false,
				Phase.SAFE, null);
	}

	/**
	 * Returns the lease that a token describes, as if it were granted now, since until
	 * when it is valid is not known.
	 */
	public static HeldLease presented(LockToken token, LeaseTerms terms, ClockReading now) {
		LockRecord record = LockRecord
			.builder(token.key(), token.ownerName(), token.leaseDuration(), token.recordVersionNumber())
			.fencingToken(token.fencingToken())
			.build();
		return granted(record, terms, now.holderNanos());
	}

	public LockKey key() {
		return this.record.key();
	}

	/** Returns the lock as the last confirmed call left it. */
	public LockRecord record() {
		return this.record;
	}

	/** Returns how the lease is kept. */
	public LeaseTerms terms() {
		return this.terms;
	}

	/** Returns the fencing token, which every granted lease has. */
	public long fencingToken() {
		return this.record.fencingToken().orElseThrow();
	}

	/** Returns what continues this lease elsewhere. */
	public LockToken token() {
		return new LockToken(key(), this.record.ownerName(), this.record.recordVersionNumber(), fencingToken(),
				this.record.leaseDuration());
	}

	/** Returns the same lease, held until a time at most. */
	public HeldLease limited(long limit) {
		return new HeldLease(this.record, this.terms, this.deadline, limit, this.unresolved, this.changes, this.missing,
				this.phase, this.lossReason);
	}

	/** Returns until when the lease is valid if nothing more is confirmed. */
	public long deadline() {
		return this.deadline;
	}

	/**
	 * Returns when the lock is lost if nothing more is confirmed: the deadline or the
	 * limit.
	 */
	public long lostAt() {
		return Math.min(this.deadline, this.limit);
	}

	/** Returns when the lease is expiring if nothing more is confirmed. */
	public long expiringAt() {
		// While a longer lease is not confirmed, its threshold may be all that is left.
		LeaseTerms confirmed = this.terms.withLeaseDuration(this.record.leaseDuration());
		return this.deadline - Math.min(this.terms.expiryWarningNanos(), confirmed.expiryWarningNanos());
	}

	/** Returns when the lease is next expiring or lost if nothing more is confirmed. */
	public long changesAt() {
		return isExpiring() ? lostAt() : Math.min(expiringAt(), lostAt());
	}

	/**
	 * Returns whether the lease is kept, but will be lost soon unless a heartbeat is
	 * confirmed.
	 */
	public boolean isExpiring() {
		return this.phase == Phase.EXPIRING;
	}

	/**
	 * Returns whether heartbeats go on, until the lease is lost, detached or its release
	 * begins.
	 */
	public boolean isKept() {
		return this.phase == Phase.SAFE || this.phase == Phase.EXPIRING;
	}

	/** Returns why the lease was lost, or {@code null} if it was not. */
	public @Nullable LossReason lossReason() {
		return this.lossReason;
	}

	/**
	 * Returns whether the lease was lost by time alone, so that a release may still find
	 * its item.
	 */
	public boolean mayStillBeInTable() {
		return this.lossReason == LossReason.EXPIRED || this.lossReason == LossReason.HELD_TOO_LONG;
	}

	/**
	 * Returns whether the next call must be a consistent read, because an answer seemed
	 * to say that the lock's item is gone.
	 */
	public boolean seemsMissing() {
		return this.missing;
	}

	/**
	 * Returns whether every heartbeat that was sent or asked for is confirmed, so that
	 * the record is what the table has.
	 */
	public boolean isConfirmed() {
		return this.unresolved.isEmpty() && this.changes.isNone()
				&& this.record.leaseDuration().equals(this.terms.leaseDuration());
	}

	/**
	 * The state at a time: expiring, or lost for what came first of deadline and limit.
	 * @return this, or the later state
	 */
	public HeldLease at(ClockReading now) {
		if (now.holderNanos() >= lostAt()) {
			return lost((this.limit < this.deadline) ? LossReason.HELD_TOO_LONG : LossReason.EXPIRED);
		}
		boolean expiring = this.phase == Phase.SAFE && now.holderNanos() >= expiringAt();
		return expiring ? in(Phase.EXPIRING, null) : this;
	}

	/** Returns the lost state, or this if it was lost or released before. */
	public HeldLease lost(LossReason reason) {
		return isKept() ? in(Phase.LOST, reason) : this;
	}

	/**
	 * Returns the state from the beginning of the release on, or this if the lease was
	 * lost or is ending.
	 */
	public HeldLease ending() {
		return isKept() ? in(Phase.ENDING, null) : this;
	}

	private HeldLease in(Phase phase, @Nullable LossReason lossReason) {
		return new HeldLease(this.record, this.terms, this.deadline, this.limit, this.unresolved, this.changes,
				this.missing, phase, lossReason);
	}

	/**
	 * The state once the holder asked for a change, which heartbeats make from now on.
	 * @param leaseDuration the lease from now on
	 * @param change what happens to data and attributes
	 * @throws IllegalArgumentException if the change does not fit into one write with
	 * those that are not confirmed
	 */
	public HeldLease asked(Duration leaseDuration, ItemChange change) {
		return new HeldLease(this.record, this.terms.withLeaseDuration(leaseDuration), this.deadline, this.limit,
				this.unresolved, this.changes.asked(change), this.missing, this.phase, this.lossReason);
	}

	/**
	 * Returns the lock's record once all changes that were asked for, and one more, are
	 * confirmed.
	 * @throws IllegalArgumentException if they do not fit into one write
	 */
	public LockRecord expected(ItemChange more) {
		return this.record.toBuilder().change(this.changes.all().then(more)).build();
	}

	/**
	 * The state from before a heartbeat is sent on. A shorter lease moves the deadline at
	 * once: observers may see it before this process learns that they can.
	 * @param recordVersionNumber the fresh record version number of the heartbeat
	 * @param now the time before the heartbeat is sent
	 */
	public HeldLease renewing(String recordVersionNumber, ClockReading now) {
		Changes sending = this.changes.sending();
		List<Heartbeat> sent = new ArrayList<>(this.unresolved);
		sent.add(new Heartbeat(recordVersionNumber, now.holderNanos(), this.terms, sending.sent(),
				this.terms.timestamps(now)));
		long until = Math.min(this.deadline, this.terms.validUntil(now.holderNanos()));
		return with(until, List.copyOf(sent), sending, false);
	}

	/** The heartbeat that {@link #renewing} announced. */
	LockWrite.Renew renewal() {
		Heartbeat heartbeat = newest();
		return new LockWrite.Renew(key(), heartbeat.recordVersionNumber(), this.record.recordVersionNumber(),
				heartbeat.terms().leaseDuration(), resolved(heartbeat.change()), heartbeat.timestamps());
	}

	private Heartbeat newest() {
		return this.unresolved.get(this.unresolved.size() - 1);
	}

	/** A change as it is sent: with the names of the attributes that it removes. */
	ItemChange resolved(ItemChange change) {
		return AttributeReplacement.resolve(change, this.record.attributes().keySet());
	}

	/** How long a call for the lease may take at most. */
	long callLimitNanos(ClockReading now) {
		long left = this.deadline - now.holderNanos();
		return (left > 0) ? this.terms.callLimitNanos(left) : this.terms.callLimitNanos();
	}

	/** The state after an answer to a heartbeat, or to the read that follows one. */
	public HeldLease answered(Answer answer, ClockReading now) {
		HeldLease then = at(now);
		// Once more, since a call that is confirmed late may leave the lease about to
		// expire.
		return then.isKept() ? then.after(answer).at(now) : then;
	}

	private HeldLease after(Answer answer) {
		if (answer instanceof Answer.Applied) {
			return confirmed(newest());
		}
		if (answer instanceof Answer.Unknown) {
			return this;
		}
		if (answer instanceof Answer.Failed failed) {
			return after(failed.failure());
		}
		LockRecord found = answer.shown();
		if (found != null) {
			return after(found);
		}
		return (answer instanceof Answer.Refused) ? missing(true) : lost(LossReason.ITEM_MISSING);
	}

	private HeldLease after(LockRecord found) {
		if (!found.isReleased()) {
			if (found.recordVersionNumber().equals(this.record.recordVersionNumber())) {
				return missing(false);
			}
			for (Heartbeat heartbeat : this.unresolved) {
				if (heartbeat.recordVersionNumber().equals(found.recordVersionNumber())) {
					return confirmed(heartbeat);
				}
			}
		}
		return lost(lossShownBy(found));
	}

	private HeldLease after(LockException failure) {
		if (failure instanceof LockTableException table) {
			if (table.problem() == LockTableException.Problem.MISSING) {
				return lost(LossReason.TABLE_MISSING);
			}
			if (table.problem() == LockTableException.Problem.NOT_A_LOCK) {
				return lost(LossReason.STOLEN);
			}
		}
		// The change may be the reason, and later heartbeats must not fail for it.
		return with(this.deadline, this.unresolved, this.changes.dropped(), this.missing);
	}

	/**
	 * A heartbeat is known to be applied. All unresolved ones rest on the record version
	 * number that it replaced, so that none of the others can be applied any more.
	 */
	private HeldLease confirmed(Heartbeat heartbeat) {
		LockRecord renewed = this.record.toBuilder()
			.recordVersionNumber(heartbeat.recordVersionNumber())
			.leaseDuration(heartbeat.terms().leaseDuration())
			.renewedAt(heartbeat.timestamps().renewedAt())
			.leaseEnds(heartbeat.timestamps().leaseEnds())
			.change(heartbeat.change())
			.build();
		long until = Math.max(this.deadline, heartbeat.terms().validUntil(heartbeat.sentAt()));
		return new HeldLease(renewed, this.terms, until, this.limit, List.of(),
				this.changes.confirmed(heartbeat.change()), false, Phase.SAFE, null);
	}

	/** Returns whether a heartbeat was confirmed since an earlier state. */
	public boolean isRenewedSince(HeldLease before) {
		return !this.record.recordVersionNumber().equals(before.record.recordVersionNumber());
	}

	private HeldLease missing(boolean missing) {
		return with(this.deadline, this.unresolved, this.changes, missing);
	}

	private HeldLease with(long deadline, List<Heartbeat> unresolved, Changes changes, boolean missing) {
		return new HeldLease(this.record, this.terms, deadline, this.limit, unresolved, changes, missing, this.phase,
				this.lossReason);
	}

	/** What heartbeats are to change in the item, until one of them is confirmed. */
	ItemChange unconfirmed() {
		return this.changes.all();
	}

	/** Every record version number under which the lease may be held. */
	Set<String> versions() {
		Set<String> versions = new LinkedHashSet<>();
		versions.add(this.record.recordVersionNumber());
		this.unresolved.forEach((heartbeat) -> versions.add(heartbeat.recordVersionNumber()));
		return Set.copyOf(versions);
	}

	/** Returns whether this lease wrote the record version number of a record. */
	public boolean wrote(LockRecord found) {
		return versions().contains(found.recordVersionNumber());
	}

	/** Why this lease is lost if the table shows a record that it did not write. */
	LossReason lossShownBy(@Nullable LockRecord found) {
		return lossShownBy(found, this.record.ownerName(), this.record.fencingToken());
	}

	/**
	 * Why a lock is lost if the table shows a record that its holder did not write.
	 * @param found the record, or {@code null} if there is none
	 * @param ownerName the holder
	 * @param fencingToken the holder's fencing token
	 */
	public static LossReason lossShownBy(@Nullable LockRecord found, String ownerName, OptionalLong fencingToken) {
		if (found == null) {
			return LossReason.ITEM_MISSING;
		}
		// A release in the owner's name leaves owner and fencing token as they are.
		boolean inOwnersName = found.isReleased() && found.ownerName().equals(ownerName)
				&& found.fencingToken().equals(fencingToken);
		return inOwnersName ? LossReason.RELEASED_BY_ADMINISTRATOR : LossReason.STOLEN;
	}

	/**
	 * A heartbeat that was sent.
	 *
	 * @param recordVersionNumber its fresh record version number
	 * @param sentAt the time before it was sent
	 * @param terms the terms that it asked for
	 * @param change what it changes in the item
	 * @param timestamps its times by the wall clock
	 */
	private record Heartbeat(String recordVersionNumber, long sentAt, LeaseTerms terms, ItemChange change,
			LockWrite.Timestamps timestamps) {
	}

	/**
	 * The changes that the holder asked for and no heartbeat has confirmed yet.
	 *
	 * @param sent what the heartbeats from the last one on carry
	 * @param later what was asked for since that was sent
	 */
	private record Changes(ItemChange sent, ItemChange later) {

		static final Changes NONE = new Changes(ItemChange.none(), ItemChange.none());

		Changes asked(ItemChange change) {
			ItemChange more = this.later.then(change);
			// Checks now whether all fits: a heartbeat has no caller to report it to.
			this.sent.then(more);
			return new Changes(this.sent, more);
		}

		Changes sending() {
			return this.later.isNone() ? this : new Changes(all(), ItemChange.none());
		}

		Changes confirmed(ItemChange change) {
			// Every heartbeat that carries the same change carries the same object.
			return (change == this.sent) ? dropped() : this;
		}

		Changes dropped() {
			return new Changes(ItemChange.none(), this.later);
		}

		boolean isNone() {
			return this.sent.isNone() && this.later.isNone();
		}

		ItemChange all() {
			return this.sent.then(this.later);
		}

	}

	private enum Phase {

		SAFE, EXPIRING, ENDING, LOST

	}

}
