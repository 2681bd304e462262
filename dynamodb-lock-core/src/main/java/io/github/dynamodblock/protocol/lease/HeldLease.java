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
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lease that this process was granted. Immutable: each event gives the
 * next state, so that a holder swaps states atomically and no lock is needed.
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

	/** Until when the lock is held at most, whatever is confirmed. */
	private final long limit;

	private final List<Heartbeat> unresolved;

	private final PendingChange pending;

	private final boolean missing;

	private final Phase phase;

	private final @Nullable LossReason lossReason;

	private HeldLease(LockRecord record, LeaseTerms terms, long deadline, long limit, List<Heartbeat> unresolved,
			PendingChange pending, boolean missing, Phase phase, @Nullable LossReason lossReason) {
		this.record = record;
		this.terms = terms;
		this.deadline = deadline;
		this.limit = limit;
		this.unresolved = unresolved;
		this.pending = pending;
		this.missing = missing;
		this.phase = phase;
		this.lossReason = lossReason;
	}

	/**
	 * A lease that begins.
	 * @param record the lock as the granting write left it
	 * @param terms the lease's terms
	 * @param sentAt the time before the granting write was first sent, on
	 * {@link ClockReading#holderNanos()}
	 * @return the lease
	 */
	public static HeldLease granted(LockRecord record, LeaseTerms terms, long sentAt) {
		return new HeldLease(record, terms, terms.validUntil(sentAt), UNLIMITED, List.of(), PendingChange.NONE, false,
				Phase.SAFE, null);
	}

	/**
	 * A lease that another process held up to now, as its token tells it. Until when it
	 * is valid is not known; it is taken as granted now.
	 * @param token the token
	 * @param terms the lease's terms
	 * @param now the time
	 * @return the lease
	 */
	public static HeldLease presented(LockToken token, LeaseTerms terms, ClockReading now) {
		LockRecord record = LockRecord
			.builder(token.key(), token.ownerName(), token.leaseDuration(), token.recordVersionNumber())
			.fencingToken(token.fencingToken())
			.build();
		return granted(record, terms, now.holderNanos());
	}

	/**
	 * {@return the lock}
	 */
	public LockKey key() {
		return this.record.key();
	}

	/**
	 * {@return the lock as the last confirmed call left it}
	 */
	public LockRecord record() {
		return this.record;
	}

	/**
	 * {@return how the lease is kept}
	 */
	public LeaseTerms terms() {
		return this.terms;
	}

	/**
	 * {@return the fencing token, which every granted lease has}
	 */
	public long fencingToken() {
		return this.record.fencingToken().orElseThrow();
	}

	/**
	 * The same lease, held until a time at most. Heartbeats do not move the limit.
	 * @param limit the time, on {@link ClockReading#holderNanos()}
	 * @return the limited lease
	 */
	public HeldLease limited(long limit) {
		return new HeldLease(this.record, this.terms, this.deadline, limit, this.unresolved, this.pending, this.missing,
				this.phase, this.lossReason);
	}

	/**
	 * {@return until when the lease is valid if nothing more is confirmed, on
	 * {@link ClockReading#holderNanos()}}
	 */
	public long deadline() {
		return this.deadline;
	}

	/**
	 * {@return when the lock is lost if nothing more is confirmed: the deadline or the
	 * limit}
	 */
	public long lostAt() {
		return Math.min(this.deadline, this.limit);
	}

	/**
	 * {@return when the lease is next expiring or lost if nothing more is confirmed}
	 */
	public long changesAt() {
		return isExpiring() ? lostAt() : Math.min(expiringAt(), lostAt());
	}

	/**
	 * {@return why the lease was lost, or {@code null} if it was not}
	 */
	public @Nullable LossReason lossReason() {
		return this.lossReason;
	}

	/**
	 * Whether the lease was lost by time alone, so that the lock's item may still be this
	 * lease's until another client takes the lock.
	 * @return whether a release may still find it
	 */
	public boolean mayStillBeInTable() {
		return this.lossReason == LossReason.EXPIRED || this.lossReason == LossReason.HELD_TOO_LONG;
	}

	/**
	 * {@return whether the lease is kept, but will be lost soon unless a heartbeat is
	 * confirmed}
	 */
	public boolean isExpiring() {
		return this.phase == Phase.EXPIRING;
	}

	/**
	 * {@return when the lease is expiring if nothing more is confirmed, on
	 * {@link ClockReading#holderNanos()}}
	 */
	public long expiringAt() {
		// While a longer lease is not confirmed, its threshold may be all that is left.
		LeaseTerms confirmed = this.terms.withLeaseDuration(this.record.leaseDuration());
		return this.deadline - Math.min(this.terms.expiryWarningNanos(), confirmed.expiryWarningNanos());
	}

	/**
	 * {@return whether the next call must be a consistent read, because an answer seemed
	 * to say that the lock's item is gone}
	 */
	public boolean seemsMissing() {
		return this.missing;
	}

	/**
	 * {@return whether heartbeats go on, until the lease is lost, detached or its release
	 * begins}
	 */
	public boolean isKept() {
		return this.phase == Phase.SAFE || this.phase == Phase.EXPIRING;
	}

	/**
	 * {@return whether every heartbeat that was sent or asked for is confirmed, so that
	 * the record is what the table has}
	 */
	public boolean isConfirmed() {
		return this.unresolved.isEmpty() && this.pending.isNone()
				&& this.record.leaseDuration().equals(this.terms.leaseDuration());
	}

	/**
	 * The state at a time: expiring once that time has come, and lost once the deadline
	 * or the limit has come, for the reason that came first.
	 * @param now the time
	 * @return this, or the later state
	 */
	public HeldLease at(ClockReading now) {
		if (now.holderNanos() >= lostAt()) {
			return lost((this.limit < this.deadline) ? LossReason.HELD_TOO_LONG : LossReason.EXPIRED);
		}
		boolean expiring = this.phase == Phase.SAFE && now.holderNanos() >= expiringAt();
		return expiring ? in(Phase.EXPIRING, null) : this;
	}

	/**
	 * The state after a loss. The first reason stays.
	 * @param reason why
	 * @return the lost state, or this if it was lost or released before
	 */
	public HeldLease lost(LossReason reason) {
		return isKept() ? in(Phase.LOST, reason) : this;
	}

	/**
	 * The state from the beginning of the release on, or from the end of the handle on.
	 * @return the ending state, or this if the lease was lost or is ending
	 */
	public HeldLease ending() {
		return isKept() ? in(Phase.ENDING, null) : this;
	}

	private HeldLease in(Phase phase, @Nullable LossReason lossReason) {
		return new HeldLease(this.record, this.terms, this.deadline, this.limit, this.unresolved, this.pending,
				this.missing, phase, lossReason);
	}

	/**
	 * The state from the moment on at which the holder asked for a change, which the
	 * heartbeats from now on make.
	 * @param leaseDuration the lease from now on
	 * @param change what happens to data and attributes
	 * @return the state
	 * @throws IllegalArgumentException if the change does not fit into one write with
	 * what was asked for before and is not confirmed
	 */
	public HeldLease asked(Duration leaseDuration, ItemChange change) {
		return new HeldLease(this.record, this.terms.withLeaseDuration(leaseDuration), this.deadline, this.limit,
				this.unresolved, this.pending.asked(change), this.missing, this.phase, this.lossReason);
	}

	/**
	 * The lock's record as it will be once everything that was asked for is confirmed.
	 * @param more what is asked for besides
	 * @return the record
	 * @throws IllegalArgumentException if that does not fit into one write
	 */
	public LockRecord expected(ItemChange more) {
		return this.record.toBuilder().change(this.pending.all().then(more)).build();
	}

	/**
	 * {@return what continues this lease elsewhere}
	 */
	public LockToken token() {
		return new LockToken(key(), this.record.ownerName(), this.record.recordVersionNumber(), fencingToken(),
				this.record.leaseDuration());
	}

	/**
	 * The state from before a heartbeat is sent on. A shorter lease moves the deadline at
	 * once: observers may see it before this process learns that they can.
	 * @param recordVersionNumber the fresh record version number of the heartbeat
	 * @param now the time before the heartbeat is sent
	 * @return the state
	 */
	public HeldLease renewing(String recordVersionNumber, ClockReading now) {
		PendingChange sending = this.pending.sending();
		List<Heartbeat> sent = new ArrayList<>(this.unresolved);
		sent.add(new Heartbeat(recordVersionNumber, now.holderNanos(), this.terms, sending.sent(),
				this.terms.timestamps(now)));
		long until = Math.min(this.deadline, this.terms.validUntil(now.holderNanos()));
		return new HeldLease(this.record, this.terms, until, this.limit, List.copyOf(sent), sending, false, this.phase,
				this.lossReason);
	}

	/**
	 * The state after an answer to a heartbeat or a confirmation.
	 * @param answer the answer
	 * @param now the time at which it had come
	 * @return the state
	 */
	public HeldLease answered(Answer answer, ClockReading now) {
		HeldLease then = at(now);
		// Once more, since a call that is confirmed late may leave the lease about to
		// expire.
		return then.isKept() ? then.after(answer).at(now) : then;
	}

	/** What each answer means for a lease that is kept. */
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
		return withPending(this.pending.refused());
	}

	/**
	 * Whether a record is this lease's own.
	 * @param found a record read from the table
	 * @return whether this lease wrote its record version number
	 */
	public boolean wrote(LockRecord found) {
		return versions().contains(found.recordVersionNumber());
	}

	/**
	 * Why this lease is lost if the table shows a record that it did not write.
	 * @param found the record, or {@code null} if there is none
	 * @return the reason
	 */
	LossReason lossShownBy(@Nullable LockRecord found) {
		return lossShownBy(found, this.record.ownerName(), this.record.fencingToken());
	}

	/**
	 * Why a lock is lost if the table shows a record that its holder did not write.
	 * @param found the record, or {@code null} if there is none
	 * @param ownerName the holder
	 * @param fencingToken the holder's fencing token
	 * @return the reason
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

	/** Every record version number under which the lease may be held. */
	Set<String> versions() {
		Set<String> versions = new LinkedHashSet<>();
		versions.add(this.record.recordVersionNumber());
		this.unresolved.forEach((heartbeat) -> versions.add(heartbeat.recordVersionNumber()));
		return Set.copyOf(versions);
	}

	/** What heartbeats are to change in the item, until one of them is confirmed. */
	ItemChange pending() {
		return this.pending.all();
	}

	/** The heartbeat that was announced last. */
	Heartbeat newest() {
		return this.unresolved.get(this.unresolved.size() - 1);
	}

	/**
	 * The state once a heartbeat is known to be applied. All unresolved ones rest on the
	 * record version number that it replaced, so none of the others can be applied any
	 * more.
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
		// What was asked for later comes with the next one.
		PendingChange rest = this.pending.confirmed(heartbeat.change());
		return new HeldLease(renewed, this.terms, until, this.limit, List.of(), rest, false, Phase.SAFE, null);
	}

	private HeldLease withPending(PendingChange pending) {
		return new HeldLease(this.record, this.terms, this.deadline, this.limit, this.unresolved, pending, this.missing,
				this.phase, this.lossReason);
	}

	private HeldLease missing(boolean missing) {
		return new HeldLease(this.record, this.terms, this.deadline, this.limit, this.unresolved, this.pending, missing,
				this.phase, this.lossReason);
	}

	/**
	 * A heartbeat that was sent.
	 *
	 * @param recordVersionNumber its fresh record version number
	 * @param sentAt the time before it was sent, on {@link ClockReading#holderNanos()}
	 * @param terms the terms that it asked for
	 * @param change what it changes in the item
	 * @param timestamps its times by the wall clock
	 */
	record Heartbeat(String recordVersionNumber, long sentAt, LeaseTerms terms, ItemChange change,
			Timestamps timestamps) {
	}

	private enum Phase {

		SAFE, EXPIRING, ENDING, LOST

	}

}
