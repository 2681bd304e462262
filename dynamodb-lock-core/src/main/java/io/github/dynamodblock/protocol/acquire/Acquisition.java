/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.function.Supplier;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition, from its first call to the grant, the refusal or the failure.
 *
 * <ol>
 * <li>It begins with one conditional write, after a pause if this client has just
 * released the lock while another one waited. If another client probably holds the lock,
 * as far as this client remembers, it begins with a cheaper read. If an earlier
 * acquisition has just read the lock, it waits until the next poll is due: repeated
 * attempts share one schedule.</li>
 * <li>If the write is refused, the response shows the holder: that is the first
 * observation.</li>
 * <li>It polls the lock by reads. From time to time, it writes instead, which lets the
 * holder know that another client waits. When the lock is free, or its record version
 * number has not changed for the whole stored lease, it writes.</li>
 * <li>The lease counts from just before the write was sent. A grant whose validity is
 * over when it arrives, or that another grant to this client may have replaced, is not
 * used: the lock is claimed once more, or released.</li>
 * <li>A write without an answer may have been applied. It is recognised by its record
 * version number, which this acquisition alone has written.</li>
 * <li>Every claim carries the request's condition, except a claim of a version that this
 * acquisition wrote: when that was written, the condition was true, and the write may
 * have changed the attributes that it tests. DynamoDB evaluates the condition. If a
 * refusal shows a lock that the claim could have taken, the condition does not hold, and
 * the acquisition ends. A read doesn't evaluate the condition, so it never ends the
 * acquisition for that reason.</li>
 * <li>The wait ends only when the last answer shows that another owner holds the lock. If
 * the wait time ends during a call, the call is finished first, within its own time
 * limit. A failed call is repeated until the wait ends, or for a moment if that is
 * longer. The first failure is always followed by another call.</li>
 * <li>So it is <em>denied</em> only if the last answer showed another owner, and
 * <em>failed</em> only if DynamoDB did not answer or refused.</li>
 * </ol>
 */
public final class Acquisition implements Operation {

	private static final String MALFORMED = "DynamoDB rejects writes to its item, although the item is marked as "
			+ "released. Check that the item's attributes have the types that a lock requires";

	private static final String TOO_LATE = "When DynamoDB answered, the lease that it granted had already expired, "
			+ "or another grant to this client may have replaced it";

	/** More than the rounding of a call's time limit can amount to. */
	private static final long ROUNDING = 2_000_000L;

	private final AcquisitionTerms terms;

	private final Deadlines deadlines;

	private final Observations observations;

	private final Randomness randomness;

	private final Slot slot;

	private boolean abandoned;

	/** Whether the last call was a claim. */
	private boolean writing;

	/** Whether the last read must have seen every write before it. */
	private boolean consistent;

	/** Whether the last read was a mark. */
	private boolean marking;

	public Acquisition(AcquisitionTerms terms, Observations observations, Randomness randomness) {
		this.terms = terms;
		this.deadlines = new Deadlines(terms);
		this.observations = observations;
		this.randomness = randomness;
		this.slot = new Slot(terms, observations, randomness);
	}

	@Override
	public Step start(ClockReading now) {
		this.deadlines.begin(now);
		if (this.abandoned) {
			return end(now);
		}
		Observation known = this.terms.isHandedOver() ? null : this.observations.find(key());
		this.slot.evidence().remembers(known);
		long pause = this.observations.othersTurnNanos(key(), now);
		if (pause > 0 && pause <= (this.terms.deadline() - now.observerNanos()) / 2) {
			// At most half of the caller's time: the rest is for its own calls.
			return new Step.Wait(Nanos.later(now.observerNanos(), pause));
		}
		if (known == null || !known.isRecent(now) || this.slot.canBeTaken(known, now)) {
			return claim(now);
		}
		long poll = this.slot.nextPoll(known, now);
		boolean later = poll > now.observerNanos() && poll <= this.terms.deadline();
		return later ? new Step.Wait(poll, known.record()) : read(false, now);
	}

	@Override
	public Step.@Nullable Call sending(Step.Call call, Supplier<ClockReading> clock) {
		this.evidence.leavesQueue();
		if (this.abandoned) {
			if (this.writing) {
				// No caller would take the lock.
				this.slot.claims().lastHadNoEffect();
			}
			return null;
		}
		if (!this.writing) {
			return call;
		}
		ClockReading now = clock.get();
		return new Step.Write(this.slot.claims().sending(now), callLimit(now));
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Problem && !this.writing && isBusy(now)) {
			// The end of the wait cut the read short: what was known before is the
			// result.
			return end(now);
		}
		this.slot.evidence().answered(answer);
		if (this.writing) {
			this.slot.refused(answer instanceof Answer.Refused);
		}
		if (answer instanceof Answer.Applied applied) {
			LockRecord record = applied.record();
			Long sentAt = this.slot.claims().sentAt(record);
			// Without the record the fencing token is unknown, so it is read.
			return (record == null || sentAt == null) ? read(true, now)
					: granted(record, sentAt, applied.isWantedFrom(record.ownerName()), now);
		}
		if (this.writing && (answer instanceof Answer.NotApplied || answer instanceof Answer.Failed)) {
			this.slot.claims().lastHadNoEffect();
		}
		if (answer instanceof Answer.Problem) {
			return retry(now);
		}
		if (answer instanceof Answer.Failed failed) {
			if (!this.writing && this.marking) {
				// The item may be too large for a mark; a read shows more.
				return read(false, now);
			}
			return new Step.Failed(failed.failure());
		}
		LockRecord shown = answer.shown();
		if (shown != null) {
			return saw(shown, answer instanceof Answer.Refused, now);
		}
		// An item that stops a claim exists, even if the answer does not carry it;
		// unless the claim was for an item that exists.
		return (answer instanceof Answer.Refused) ? read(true, now) : sawNothing(now);
	}

	@Override
	public Step wake(ClockReading now) {
		if (this.slot.evidence().isFailing() && now.observerNanos() >= retriesUntil()) {
			return end(now);
		}
		Observation other = this.slot.observation();
		if (other == null || this.slot.canBeTaken(other, now)) {
			return claim(now);
		}
		return (isOver(now) && this.slot.evidence().showsHolder()) ? end(now) : read(false, now);
	}

	/**
	 * Ends this acquisition because its caller has left. It begins no further call; if
	 * one is under way, its answer ends the acquisition.
	 */
	public void abandon() {
		this.abandoned = true;
	}

	/**
	 * Returns the result for callers that wait behind this acquisition, or {@code null}
	 * if the answer to the call under way has to show it.
	 */
	public Step.@Nullable End evidence(ClockReading now) {
		return (this.slot.evidence().isFailing() || this.slot.isHeld(now)) ? end(now) : null;
	}

	/**
	 * Returns the result for a caller whose wait is over, or {@code null} while it still
	 * waits for a call or for an owner that seems to have crashed.
	 */
	public Step.@Nullable End overdue(ClockReading now) {
		return (isBusy(now) || now.observerNanos() >= answerDeadline()) ? end(now) : null;
	}

	private long answerDeadline() {
		return this.evidence.isQueued() ? this.deadlines.slotDeadline() : this.deadlines.answerDeadline();
	}

	/** Whether the wait is over while another owner is seen to hold the lock. */
	private boolean isBusy(ClockReading now) {
		return isOver(now) && this.slot.isShownHeld(now);
	}

	/**
	 * Returns when to ask next whether the caller's wait is over, on
	 * {@link ClockReading#observerNanos()}.
	 */
	public long overdueAt(ClockReading now) {
		return (now.observerNanos() < this.deadlines.deadline()) ? this.deadlines.deadline() : answerDeadline();
	}

	/** Whether the wait is over; it may be extended for an owner that was just seen. */
	private boolean isOver(ClockReading now) {
		if (!this.abandoned && this.slot.evidence().showsHolder()) {
			this.deadlines.extend(this.slot.observation(), now);
		}
		return this.abandoned || now.observerNanos() >= this.deadlines.deadline();
	}

	/** Returns how the owner that the lock was taken over from was last seen, if any. */
	public @Nullable Observation takenOverFrom() {
		return this.slot.takenOverFrom();
	}

	/** Returns whether the last call had no usable answer. */
	public boolean isFailing() {
		return this.slot.evidence().isFailing();
	}

	/** Returns whether nothing is left to do: no write may have taken the lock. */
	public boolean isSettled() {
		return this.slot.isSettled();
	}

	/**
	 * Returns the operation that releases what claims without an answer may have taken.
	 */
	public Operation cleanup() {
		return this.slot.cleanup();
	}

	private LockKey key() {
		return this.terms.key();
	}

	private Step claim(ClockReading now) {
		if (this.abandoned) {
			return end(now);
		}
		this.writing = true;
		return new Step.Write(this.slot.claim(this.deadlines.isExtended(), now), callLimit(now));
	}

	private Step read(boolean consistent, ClockReading now) {
		if (this.abandoned) {
			return end(now);
		}
		this.writing = false;
		this.slot.evidence().reads();
		this.consistent = consistent;
		Observation other = consistent ? null : this.slot.marked(this.deadlines.begunAt(), now);
		this.marking = other != null;
		if (other == null) {
			return new Step.Read(key(), consistent, readLimit(now));
		}
		this.slot.evidence().showed(this.observations.marks(other, now.observerNanos()));
		return new Step.Mark(key(), this.terms.ownerName(), readLimit(now));
	}

	/**
	 * A read that can only confirm the known holder ends with the wait time, so that it
	 * does not keep the caller's thread longer.
	 */
	private long readLimit(ClockReading now) {
		// Limits are rounded down, and must not end before the wait.
		return this.slot.evidence().showsHolder() ? limitBy(Nanos.later(this.deadlines.deadline(), ROUNDING), now)
				: callLimit(now);
	}

	/** No call keeps its caller beyond the latest time for a result. */
	private long callLimit(ClockReading now) {
		return limitBy(this.deadlines.answerDeadline(), now);
	}

	private long limitBy(long end, ClockReading now) {
		long left = Math.max(end - now.observerNanos(), LeaseTerms.SHORTEST_CALL_LIMIT_NANOS);
		return Math.min(this.terms.lease().callLimitNanos(), left);
	}

	/** A read, or the refusal of a claim, showed this. */
	private Step saw(LockRecord record, boolean byRefusal, ClockReading now) {
		this.slot.saw(record);
		Long sentAt = this.slot.claims().sentAt(record);
		if (sentAt != null) {
			return granted(record, sentAt, false, now);
		}
		this.slot.tookNothing();
		return record.isReleased() ? sawReleased(record, byRefusal, now) : sawHeld(record, byRefusal, now);
	}

	private Step sawReleased(LockRecord record, boolean byRefusal, ClockReading now) {
		this.observations.sawNoOtherOwner(record, now.observerNanos());
		if (this.deadlines.endedBy(record)) {
			return end(now);
		}
		this.slot.evidence().showedNoOther(MALFORMED);
		if (byRefusal && this.slot.claims().lastIsUnmet(record)) {
			return conditionNotMet(record);
		}
		// A refused claim of a free lock must not spin, and a lock that was handed over
		// is not taken when free.
		return (byRefusal || this.terms.isHandedOver()) ? pause(now) : claim(now);
	}

	private Step sawHeld(LockRecord record, boolean byRefusal, ClockReading now) {
		if (byRefusal) {
			// None of them has taken the lock; one that is applied later expires.
			this.slot.claims().resolve();
		}
		Observation other = this.observations.saw(record, now.observerNanos(), this.slot.observation());
		this.slot.evidence().showed(other);
		if (this.deadlines.endedBy(record)) {
			return end(now);
		}
		if (byRefusal && this.slot.claims().lastIsUnmet(record)) {
			return conditionNotMet(record);
		}
		if (record.recordVersionNumber().equals(this.terms.precondition().version())) {
			return pause(now);
		}
		if (!this.slot.canBeTaken(other, now)) {
			return waitUntil(this.slot.nextPoll(other, now), now);
		}
		return (byRefusal && this.slot.claims().lastWasFor(record)) ? pause(now) : claim(now);
	}

	/** A read showed that the lock has no item. */
	private Step sawNothing(ClockReading now) {
		this.slot.tookNothing();
		this.slot.saw(null);
		this.observations.sawNothing(key());
		if (this.deadlines.endedBy(null)) {
			return end(now);
		}
		this.slot.evidence().showedNoOther(Evidence.NO_ANSWER);
		if (this.consistent && this.slot.isRefused() && this.slot.claims().lastIsUnmet(null)) {
			return conditionNotMet(null);
		}
		if (this.terms.precondition().noItem()) {
			return claim(now);
		}
		if (!this.consistent) {
			return read(true, now);
		}
		// It was answered, and what it could have written is not there.
		this.slot.claims().lastHadNoEffect();
		return this.terms.isHandedOver() ? end(now) : new Step.Absent();
	}

	/** The answer also shows that none of the claims has taken the lock. */
	private Step conditionNotMet(@Nullable LockRecord found) {
		this.slot.claims().resolve();
		return new Step.ConditionNotMet(found);
	}

	private Step granted(LockRecord record, long sentAt, boolean wanted, ClockReading now) {
		this.slot.evidence().showedNoOther(TOO_LATE);
		this.slot.saw(record);
		boolean latest = this.observations.granted(record, sentAt, now);
		boolean inTime = now.holderNanos() < this.terms.lease().validUntil(sentAt);
		if (latest && inTime) {
			this.slot.claims().resolve();
			return new Step.Granted(record, sentAt, wanted);
		}
		// Too late to be a grant, or at the same time as another grant to this client,
		// which may have replaced it. One more claim of this version settles that;
		// without time for it, or if it would copy what the first one left, the cleanup
		// releases the lock.
		this.slot.tookTheLock(record);
		boolean repeatable = this.terms.request().change().copies().isEmpty();
		return (repeatable && now.observerNanos() < this.deadlines.answerDeadline()) ? claim(now) : end(now);
	}

	private Step pause(ClockReading now) {
		return waitUntil(Nanos.later(now.observerNanos(), Observation.FIRST_POLL_INTERVAL), now);
	}

	/** Waits because another client holds the lock. */
	private Step waitUntil(long time, ClockReading now) {
		if (isOver(now)) {
			return end(now);
		}
		return new Step.Wait(Math.min(time, this.deadlines.deadline()), this.slot.evidence().holder());
	}

	/**
	 * Waits because a call had no usable answer; for longer if DynamoDB turned it away,
	 * since that takes no time, and DynamoDB may be overloaded.
	 */
	private Step retry(ClockReading now) {
		if (this.abandoned || now.observerNanos() >= retriesUntil()) {
			return end(now);
		}
		int failures = this.slot.evidence().unanswered() + (this.slot.evidence().isTurnedAway() ? 1 : 0);
		long pause = Nanos.backoff(failures, this.randomness.fraction());
		long until = Math.min(Nanos.later(now.observerNanos(), pause), retriesUntil());
		return new Step.Wait(until, this.slot.evidence().holder());
	}

	private long retriesUntil() {
		return this.deadlines.retriesUntil(this.slot.evidence().unanswered(), this.slot.evidence().isTurnedAway());
	}

	private Step.End end(ClockReading now) {
		return this.slot.end(now);
	}

}
