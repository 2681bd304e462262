/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * The state of a granted lock, and what follows from it. {@link Lease} has the
 * transitions. All times are on {@link ClockReading#holderNanos()}.
 */
public abstract class LeaseState {

	final AcquisitionTerms terms;

	/** The time before the claim was sent; a hand-on keeps it. */
	final long claimedAt;

	// Assigned only on a fresh copy of a Lease, before it is returned.

	Stage stage = Stage.HELD;

	Renewals renewals;

	Heartbeats heartbeats;

	long limit;

	long holdUntil;

	boolean expiring;

	boolean contended;

	/** Whether a guarded write or a condition of the application depends on the token. */
	boolean guarded;

	@Nullable LossReason lossReason;

	@Nullable Ending ending;

	/** The release at the limit; {@code null} until the holder has received the lock. */
	@Nullable Ending endingAtLimit;

	/** Whether the holder has received the lock. Nothing is reported before that. */
	boolean delivered;

	/** The only report of the end, such as a loss. */
	@Nullable Consumer<LeaseEffects> end;

	ItemTurn turn = ItemTurn.FREE;

	/** Wake the guarded writes that have begun. */
	List<Runnable> writes = List.of();

	List<Consumer<LeaseEffects>> effects = List.of();

	LeaseState(AcquisitionTerms terms, long claimedAt, Renewals renewals, Heartbeats heartbeats, long limit,
			long holdUntil) {
		this.terms = terms;
		this.claimedAt = claimedAt;
		this.renewals = renewals;
		this.heartbeats = heartbeats;
		this.limit = limit;
		this.holdUntil = holdUntil;
	}

	LeaseState(LeaseState other) {
		this(other.terms, other.claimedAt, other.renewals, other.heartbeats, other.limit, other.holdUntil);
		this.stage = other.stage;
		this.expiring = other.expiring;
		this.contended = other.contended;
		this.guarded = other.guarded;
		this.lossReason = other.lossReason;
		this.ending = other.ending;
		this.endingAtLimit = other.endingAtLimit;
		this.delivered = other.delivered;
		this.end = other.end;
		this.turn = other.turn;
		this.writes = other.writes;
		this.effects = other.effects;
	}

	public LockRequest request() {
		return this.terms.request();
	}

	public boolean deletesItem() {
		return this.terms.deleteOnRelease();
	}

	public long claimedAt() {
		return this.claimedAt;
	}

	public Renewals renewals() {
		return this.renewals;
	}

	/** Returns when the lock is lost if nothing more is confirmed. */
	public long lostAt() {
		return Math.min(this.renewals.deadline(), this.limit);
	}

	/**
	 * Returns when the lease next becomes expiring or lost if nothing more is confirmed.
	 */
	public long changesAt() {
		return this.expiring ? lostAt() : Math.min(this.renewals.expiringAt(), lostAt());
	}

	/** Returns when {@link Lease#at} next returns another value. */
	public long dueAt() {
		if (!isLive() || !this.delivered) {
			return Nanos.NEVER;
		}
		long over = (this.stage == Stage.RETAINED) ? this.holdUntil : Nanos.NEVER;
		return Math.min(Math.min(changesAt(), over), Math.min(this.heartbeats.nextAt(), this.turn.dueAt()));
	}

	/** Returns whether the holder has the lock. */
	public boolean isHeld() {
		return this.stage == Stage.HELD;
	}

	/** Returns whether heartbeats renew the lock. */
	public boolean isLive() {
		return this.stage == Stage.HELD || this.stage == Stage.RETAINED;
	}

	/** Returns whether the lock will be lost soon unless a heartbeat is confirmed. */
	public boolean isExpiring() {
		return this.expiring && isLive();
	}

	public boolean isContended() {
		return this.contended;
	}

	public @Nullable LossReason lossReason() {
		return this.lossReason;
	}

	/** Returns how the lock ends, or {@code null} while it is held or if it was lost. */
	public @Nullable Ending ending() {
		return this.ending;
	}

	public boolean isDetached() {
		return this.stage == Stage.DETACHED;
	}

	/** Returns whether the lock ends by the given ending, not by another one. */
	public boolean endsAs(Ending wanted) {
		return this.ending != null && this.ending.outcome() == wanted.outcome();
	}

	public Heartbeats heartbeats() {
		return this.heartbeats;
	}

	/**
	 * Returns the effects of the transitions since {@link Lease#carriedOut}, in order.
	 */
	public List<Consumer<LeaseEffects>> effects() {
		return this.effects;
	}

	/**
	 * Returns the call that {@link Lease#sending} prepared, or {@code null} if the lock
	 * is not live or another call goes first.
	 */
	public Step.@Nullable Call call(String recordVersionNumber) {
		if (!isLive() || !recordVersionNumber.equals(this.turn.current())) {
			return null;
		}
		long limit = this.turn.limitNanos();
		return this.renewals.missing() ? new Step.Read(this.renewals.record().key(), true, limit)
				: new Step.Write(this.renewals.heartbeat(), limit);
	}

	/** Returns whether a guarded write has to wait for its turn. */
	public boolean letsWait(Runnable write) {
		return isHeld() && this.turn.current() != write;
	}

	/**
	 * The time limit of a guarded write: half the remaining lease, because heartbeats
	 * wait for the answer.
	 */
	long writeLimitNanos(ClockReading now) {
		return Math.min(Step.Call.LONGEST_NANOS, Math.max(1, (this.renewals.deadline() - now.holderNanos()) / 2));
	}

	/** Returns for how long the lock must stay held after its client has left it. */
	public long holdRest(ClockReading now) {
		return (this.stage == Stage.RELEASING) ? Math.max(0, this.holdUntil - now.holderNanos()) : 0;
	}

	/**
	 * Whether a release may be repeated: a release failed, or the lease expired and its
	 * item may still exist.
	 */
	boolean isReleasableAgain() {
		boolean mayBeInTable = this.lossReason == null || this.lossReason == LossReason.EXPIRED
				|| this.lossReason == LossReason.HELD_TOO_LONG;
		return this.stage == Stage.ENDED && mayBeInTable && (this.ending == null || this.ending.failed());
	}

	static <T> List<T> both(List<T> some, List<T> others) {
		if (some.isEmpty()) {
			return others;
		}
		List<T> both = new ArrayList<>(some);
		both.addAll(others);
		return both;
	}

	@Override
	public String toString() {
		return this.stage + "[" + this.renewals.key() + ", " + this.ending + ", " + this.lossReason + ", "
				+ this.heartbeats + ", " + this.turn + "]";
	}

	/**
	 * The stages of a granted lock. {@code RETAINED}: the handle is closed, and the
	 * client keeps the lock for holdAtLeast. {@code ENDED}: the client no longer holds
	 * the lock, as far as it knows. {@code DETACHED}: the lock is left to its token.
	 */
	enum Stage {

		HELD, RETAINED, RELEASING, ENDED, DETACHED

	}

}
