/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.Release;
import org.jspecify.annotations.Nullable;

/**
 * What an acquisition knows of one slot: the claims that it sent for it, and what the
 * answers showed. An ordinary lock has one slot.
 */
final class Slot {

	private final AcquisitionTerms terms;

	private final LockKey key;

	private final Observations observations;

	private final Randomness randomness;

	private final Claims claims;

	private final Evidence evidence;

	/**
	 * The version that this acquisition wrote, if its grant cannot be used. It is claimed
	 * again.
	 */
	private @Nullable String ours;

	/** The owner from whom the last claim takes the lock over, or {@code null}. */
	private @Nullable Observation takenOverFrom;

	/** The lock as last seen, of any owner. */
	private @Nullable LockRecord seen;

	private boolean refused;

	private Place place = Place.NONE;

	/** When to ask it next, or when its pause for other clients ends. */
	private long dueAt;

	private long askedAt;

	/** When its turn began. */
	private long begunAt;

	/** Whether it was answered after the wait was over, and is not asked again. */
	private boolean tried;

	/** The final refusal, or {@code null}. */
	private Step.@Nullable End out;

	Slot(AcquisitionTerms terms, Observations observations, Randomness randomness) {
		this.terms = terms;
		this.key = terms.key();
		this.observations = observations;
		this.randomness = randomness;
		this.claims = new Claims(terms, randomness);
		this.evidence = new Evidence(terms);
	}

	void begin(@Nullable Observation known, ClockReading now) {
		this.place = Place.TURN;
		this.evidence.remembers(known);
		this.dueAt = now.observerNanos();
		this.askedAt = this.dueAt;
		this.begunAt = this.dueAt;
		if (known != null && !canBeTaken(known, now)) {
			// Repeated attempts share one schedule.
			long poll = nextPoll(known, now);
			this.dueAt = (poll <= this.terms.deadline()) ? poll : this.dueAt;
		}
	}

	/** Lets other clients go first until a time. */
	void pauseUntil(long until) {
		this.place = Place.PAUSED;
		this.dueAt = until;
	}

	void place(Place place) {
		this.place = place;
	}

	boolean isAt(Place where) {
		return this.place == where && this.out == null;
	}

	/** Whether it has the turn of its key, even if its refusal is final. */
	boolean hasTurn() {
		return this.place == Place.TURN;
	}

	void out(Step.End how) {
		this.out = how;
	}

	boolean isOut() {
		return this.out != null;
	}

	long dueAt() {
		return this.dueAt;
	}

	void dueAt(long time) {
		this.dueAt = time;
	}

	boolean isDue(ClockReading now) {
		return this.dueAt <= now.observerNanos();
	}

	long askedAt() {
		return this.askedAt;
	}

	void tried(boolean tried) {
		this.tried = tried;
	}

	boolean isTried() {
		return this.tried && this.evidence.isConclusive();
	}

	boolean isFailing() {
		return this.evidence.isFailing();
	}

	LockKey key() {
		return this.key;
	}

	Claims claims() {
		return this.claims;
	}

	Evidence evidence() {
		return this.evidence;
	}

	@Nullable Observation observation() {
		return this.evidence.observation();
	}

	@Nullable Observation takenOverFrom() {
		return this.takenOverFrom;
	}

	@Nullable LockRecord seen() {
		return this.seen;
	}

	/** Notes the lock that an answer showed, or {@code null} if it has no item. */
	void saw(@Nullable LockRecord record) {
		this.seen = record;
	}

	void refused(boolean refused) {
		this.refused = refused;
	}

	boolean isRefused() {
		return this.refused;
	}

	void tookTheLock(LockRecord record) {
		this.ours = record.recordVersionNumber();
		this.claims.tookTheLock(record);
	}

	/** Notes that the slot no longer has the version of {@link #tookTheLock}. */
	void tookNothing() {
		this.ours = null;
	}

	/**
	 * Returns the next claim.
	 * @param extended whether an owner is awaited beyond the wait time; only its version
	 * may then be claimed
	 */
	LockWrite.Claim claim(boolean extended, ClockReading now) {
		this.askedAt = now.observerNanos();
		this.evidence.claims(now);
		return this.claims.next(precondition(extended, now), this.observations.highestToken(key()), now);
	}

	private LockWrite.Precondition precondition(boolean extended, ClockReading now) {
		String version = expired(now);
		LockWrite.Precondition wanted = this.terms.precondition();
		if (this.ours != null && wanted.condition() != null) {
			// The claim that wrote this version met the condition. A lock that is free by
			// now must meet it again, so claim only this version.
			return LockWrite.Precondition.only(this.ours);
		}
		return (version != null && extended) ? LockWrite.Precondition.only(version).with(wanted.condition())
				: wanted.orVersion(version);
	}

	private @Nullable String expired(ClockReading now) {
		if (this.ours != null) {
			return this.ours;
		}
		Observation other = observation();
		if (other == null || !canBeTaken(other, now)) {
			this.takenOverFrom = null;
			return null;
		}
		this.takenOverFrom = wasSilent(other, now) ? other : null;
		return other.record().recordVersionNumber();
	}

	/**
	 * Whether the owner has probably crashed. An owner that was last seen early in its
	 * lease, before this acquisition began, has probably released the lock since. The
	 * claim takes a released lock, too, so its success does not prove a crash.
	 */
	private boolean wasSilent(Observation seen, ClockReading now) {
		return this.evidence.isShown() || seen.showsSilence()
				|| this.terms.lease().nanosByClocks(seen.record(), now) <= 0;
	}

	void reads(ClockReading now) {
		this.askedAt = now.observerNanos();
		this.evidence.reads(now);
	}

	/**
	 * Whether the owner's lease has ended. An adoption never takes a lock from another
	 * owner.
	 */
	boolean canBeTaken(Observation seen, ClockReading now) {
		return !this.terms.isAdoption()
				&& (seen.leaseEnded(now) || this.terms.lease().nanosByClocks(seen.record(), now) <= 0);
	}

	/**
	 * Whether it is free, as far as this acquisition knows, or its owner's lease has
	 * ended.
	 */
	boolean canBeClaimed(ClockReading now) {
		Observation other = observation();
		return other == null || canBeTaken(other, now);
	}

	/** Whether the last answer is too old for a takeover. */
	boolean isStale(ClockReading now) {
		Observation other = observation();
		return other != null && now.observerNanos() - Math.max(other.lastSeen(), this.begunAt) > 2 * interval(other);
	}

	/** The time between two polls of a lock that another owner holds. */
	long interval(Observation other) {
		return other.interval(this.terms.pollInterval());
	}

	/** When its observed lease ends; the smallest number if it is free. */
	long leaseEnds() {
		Observation other = observation();
		return (other == null) ? Long.MIN_VALUE : other.leaseEnds();
	}

	/** When its holder's lock was last marked; the smallest number if never. */
	long markedAt() {
		Observation other = observation();
		Long at = (other == null) ? null : other.markedAt();
		return (at == null) ? Long.MIN_VALUE : at;
	}

	boolean isHeld(ClockReading now) {
		Observation other = observation();
		return other != null && this.evidence.hasHolder() && !canBeTaken(other, now);
	}

	/** Whether this acquisition has itself seen another owner hold the slot. */
	boolean isShownHeld(ClockReading now) {
		return this.evidence.showsHolder() && isHeld(now);
	}

	/**
	 * Returns the holder to mark instead of a read, or {@code null}. A client that writes
	 * no fencing tokens does not read marks.
	 */
	@Nullable Observation marked(long begunAt, ClockReading now) {
		Observation other = this.evidence.isShown() ? observation() : null;
		if (other == null || other.record().fencingToken().isEmpty()) {
			return null;
		}
		long due = other.nextMark(begunAt, this.terms.waitNanos());
		return (now.observerNanos() >= due && now.observerNanos() < this.terms.deadline()) ? other : null;
	}

	long nextPoll(Observation seen, ClockReading now) {
		long poll = seen.nextPoll(this.randomness.fraction(), this.terms.pollInterval());
		long byClocks = this.terms.lease().nanosByClocks(seen.record(), now);
		return Math.min(poll, Nanos.later(now.observerNanos(), byClocks));
	}

	/** Whether no claim can have taken the slot without this client's knowledge. */
	boolean isSettled() {
		return this.claims.isResolved();
	}

	/**
	 * Returns the operation that releases the lock if an unanswered claim has taken it.
	 */
	Operation cleanup() {
		ItemChange undo = this.terms.request().keptItem().map(KeptItem::undo).orElse(ItemChange.none());
		return Release.cleanUp(key(), this.terms.lease(), this.claims.unresolved(), this.terms.deleteOnRelease(), undo,
				this.randomness);
	}

	/** Returns the result for a caller whose time is over. */
	Step.End end(ClockReading now) {
		if (this.out != null) {
			return this.out;
		}
		return (this.terms.isAdoption() && this.evidence.isConclusive()) ? new Step.Denied(this.seen, null)
				: this.evidence.end(now);
	}

	/**
	 * Returns the result for acquisitions that wait behind this one, or {@code null} if
	 * it is not known.
	 */
	Step.@Nullable End endForOthers(boolean failed, ClockReading now) {
		// The acquisition's own end may have a reason that does not concern the others,
		// such as its condition.
		Step.End end = this.evidence.end(now);
		if (this.evidence.isQueued() && now.observerNanos() >= this.terms.sendDeadlineAfter(this.evidence.queuedAt())) {
			return end;
		}
		if (!isFailing() && !(failed && !isSettled()) && !isHeld(now)) {
			return null;
		}
		return (end instanceof Step.Failed known && !isSettled()) ? endBehindOpenCall(known.failure().getCause()) : end;
	}

	/** Returns the result if an unanswered earlier call may have taken the lock. */
	Step.End endBehindOpenCall(@Nullable Throwable cause) {
		return new Step.Failed(new LockStoreException("Lock '" + key() + "' could not be acquired: DynamoDB has not "
				+ "answered an earlier call from this client, which may have acquired it", cause));
	}

	/** The acquisition's place in the queue of a slot. */
	enum Place {

		/** It is not in the queue. */
		NONE,

		/** The acquisition lets other clients go first, and has no turn meanwhile. */
		PAUSED,

		/** It waits behind an earlier turn of this client. */
		LINE,

		/** It has the turn. */
		TURN

	}

}
