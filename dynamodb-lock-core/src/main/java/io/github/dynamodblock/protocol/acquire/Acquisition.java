/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import org.jspecify.annotations.Nullable;

/**
 * One acquisition, from its first call to the grant, the refusal or the failure. A
 * semaphore has several slots, of which one is granted; a lock is its own only slot.
 *
 * <ol>
 * <li>It begins with one conditional write. If another client probably holds the slot, as
 * far as this client remembers, it begins with a cheaper read. If an earlier acquisition
 * has just read it, it waits until the next poll is due: repeated attempts share one
 * schedule.</li>
 * <li>It begins at a slot that its client neither holds nor asks for. If that is not
 * granted, it goes on to the next such slot. It stands in the lines of the others only
 * when none is left. If this client has just released a slot for which another one waits,
 * it lets that one pass, and has no turn meanwhile.</li>
 * <li>If the write is refused, the response shows the holder: that is the first
 * observation.</li>
 * <li>It polls by reads, one call at a time, the slots in turn, at most as often as four
 * locks. From time to time, it writes instead, which lets a holder know that another
 * client waits. When a slot is free, or its record version number has not changed for the
 * whole stored lease, it writes.</li>
 * <li>The lease counts from just before the write was sent. A grant whose validity is
 * over when it arrives, or that another grant to this client may have replaced, is not
 * used: the slot is claimed once more, or released.</li>
 * <li>A write without an answer may have been applied. It is recognised by its record
 * version number, which this acquisition alone has written for this slot. The others are
 * asked meanwhile; no further one while two of them have no answer since.</li>
 * <li>Every claim carries the request's condition, except a claim of a version that this
 * acquisition wrote: when that was written, the condition was true, and the write may
 * have changed the attributes that it tests. DynamoDB evaluates the condition. If a
 * refusal shows a lock that the claim could have taken, the condition does not hold, and
 * the slot is not asked again. A read doesn't evaluate the condition.</li>
 * <li>The wait ends only when the last answers show that others hold all slots. If the
 * wait time ends during a call, the call is finished first, within its own time limit. A
 * failed call is repeated until the wait ends, or for a moment if that is longer. The
 * first failure is always followed by another call.</li>
 * <li>So it is <em>denied</em> only if each slot was shown held or this client holds it,
 * and <em>failed</em> only if DynamoDB did not answer or refused.</li>
 * </ol>
 */
public final class Acquisition implements Operation {

	private static final String MALFORMED = "DynamoDB rejects writes to its item, although the item is marked as "
			+ "released. Check that the item's attributes have the types that a lock requires";

	private static final String TOO_LATE = "When DynamoDB answered, the lease that it granted had already expired, "
			+ "or another grant to this client may have replaced it";

	private final AcquisitionTerms terms;

	private final Deadlines deadlines;

	private final Observations observations;

	private final Randomness randomness;

	private final Slots slots;

	/** The slot that was asked last. */
	private Slot slot;

	private boolean abandoned;

	/** Whether the last step was the last one. */
	private boolean ended;

	/** Whether the caller has its failure. */
	private boolean failed;

	/** Whether a call is under way. */
	private boolean calling;

	/** How many calls failed since the last answer, for whichever slot. */
	private int failures;

	/** Until when no slot is asked, since calls fail whichever is. */
	private long pausedUntil = Long.MIN_VALUE;

	/** Whether a turn has come that ends a wait. */
	private boolean turned;

	/** The slots that were answered since the runtime asked. */
	private final Set<LockKey> news = new LinkedHashSet<>();

	/** Whether the last call was a claim. */
	private boolean writing;

	/** Whether the last read must have seen every write before it. */
	private boolean consistent;

	/** Whether the last read was a mark. */
	private boolean marking;

	/** Creates an acquisition of a client that makes no other one. */
	public Acquisition(AcquisitionTerms terms, Observations observations, Randomness randomness) {
		this(terms, observations, randomness, Turns.ALONE);
	}

	public Acquisition(AcquisitionTerms terms, Observations observations, Randomness randomness, Turns turns) {
		this.terms = terms;
		this.deadlines = new Deadlines(terms);
		this.observations = observations;
		this.randomness = randomness;
		this.slots = new Slots(terms, this.deadlines, observations, randomness, turns);
		this.slot = this.slots.first();
	}

	@Override
	public Step start(ClockReading now) {
		return noted(next(now));
	}

	@Override
	public Step.@Nullable Call sending(Step.Call call, Supplier<ClockReading> clock) {
		this.slot.evidence().leavesQueue();
		if (this.abandoned) {
			this.calling = false;
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
		return new Step.Write(this.slot.claims().sending(now), this.deadlines.callLimit(now));
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		this.calling = false;
		this.news.add(this.slot.key());
		return noted(judged(answer, now));
	}

	private Step noted(Step step) {
		this.calling = step instanceof Step.Call;
		return step;
	}

	private Step judged(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Problem && !this.writing && isOver(now) && this.slot.isShownHeld(now)) {
			// The end of the wait cut the read short: what was known before is the
			// result.
			return next(now);
		}
		this.slot.evidence().answered(answer);
		this.failures = (answer instanceof Answer.Problem) ? this.failures + 1 : 0;
		if (this.writing) {
			this.slot.refused(answer instanceof Answer.Refused);
		}
		if (answer instanceof Answer.Applied applied) {
			LockRecord record = applied.record();
			Long sentAt = this.slot.claims().sentAt(record);
			// Without the record the fencing token is unknown, so it is read.
			return (record == null || sentAt == null) ? read(true, now)
					: granted(record, sentAt, applied.isContended(record.ownerName()), now);
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
		if (!this.turned) {
			// Whatever this clock says, the time has come for which it waited.
			this.pausedUntil = now.observerNanos();
			this.slots.awaited(now);
		}
		this.turned = false;
		return noted(next(now));
	}

	/**
	 * The next step when nothing more is to be done for the slot that was asked last: a
	 * claim of a slot that may be free, which may be one that was not asked yet; or
	 * another try of a call that failed; or a poll; or a wait.
	 */
	private Step next(ClockReading now) {
		if (this.abandoned) {
			return end(now);
		}
		boolean over = isOver(now);
		if (now.observerNanos() < this.pausedUntil) {
			this.slots.nextAt(over, this.pausedUntil, now);
			return new Step.Wait(this.pausedUntil, this.slots.holder());
		}
		if (this.failures > 0 && now.observerNanos() >= retriesUntil()) {
			return end(now);
		}
		Slot free = this.slots.toClaim(over, now);
		if (free != null) {
			this.slot = free;
			return claim(now);
		}
		Slot failing = this.slots.toRetry(over, now);
		Slot held = this.slots.toPoll(over, now);
		if (failing != null && (held == null || failing.askedAt() <= held.askedAt())) {
			this.slot = failing;
			if (now.observerNanos() >= retriesUntil()) {
				return end(now);
			}
			// A claim without an answer may keep the others back for long, a read does
			// not.
			boolean claims = failing.canBeClaimed(now)
					&& (this.terms.slots() == 1 || (failing.isSettled() && !failing.isStale(now)));
			return claims ? claim(now) : read(false, now);
		}
		if (held != null) {
			this.slot = held;
			return read(false, now);
		}
		if (this.slots.areOut() || (over && this.slots.areDecided(Map.of(), now))) {
			return isExtended(now) ? next(now) : end(now);
		}
		long limit = over ? this.deadlines.answerDeadline() : this.deadlines.deadline();
		long until = this.slots.nextAt(over, limit, now);
		return (until > now.observerNanos()) ? new Step.Wait(until, this.slots.holder()) : end(now);
	}

	/**
	 * The turn of a slot has come, in whose line this acquisition stands. {@link #wake}
	 * has to follow if it waits.
	 * @return whether it uses the turn; if not, the turn is over
	 */
	public boolean turn(LockKey key, ClockReading now) {
		boolean over = this.abandoned || this.ended || this.slots.only() != null;
		if (!over && this.calling && this.turned) {
			// One turn is enough while it cannot use it: others of this client may.
			this.slots.pass(key);
			return false;
		}
		boolean used = !over && this.slots.turn(key, now);
		this.turned |= used;
		return used;
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
	 * @param key the slot that they wait for
	 */
	public Step.@Nullable End evidence(LockKey key, ClockReading now) {
		Slot slot = this.slots.find(key);
		return (slot != null && slot.hasTurn()) ? slot.endForOthers(this.failed, now) : null;
	}

	/**
	 * Returns the result for a caller whose wait is over, or {@code null} while it still
	 * waits for a call or for an owner that seems to have crashed.
	 * @param ahead why those in whose lines this acquisition stands are not granted their
	 * slots, as far as that is known
	 */
	public Step.@Nullable End overdue(Map<LockKey, Step.End> ahead, ClockReading now) {
		boolean isKnown = isOver(now) && this.slots.areDecided(ahead, now);
		if (isKnown && isExtended(now)) {
			// It waits for less from now on.
			this.turned = true;
			return null;
		}
		if (!isKnown && now.observerNanos() < answerDeadline()) {
			return null;
		}
		Step.End end = this.slots.end(ahead, now);
		this.failed = end instanceof Step.Failed;
		return end;
	}

	private long answerDeadline() {
		Evidence evidence = this.slot.evidence();
		return evidence.isQueued() ? this.deadlines.sendDeadline(evidence.queuedAt()) : this.deadlines.answerDeadline();
	}

	/**
	 * Returns when to ask next whether the caller's wait is over, on
	 * {@link ClockReading#observerNanos()}.
	 */
	public long overdueAt(ClockReading now) {
		long time = now.observerNanos();
		long deadline = this.deadlines.deadline();
		// Those ahead may have no slot for their calls by then, either.
		long inLine = this.slots.standInLine() ? this.terms.sendDeadline() : deadline;
		return (time < deadline) ? deadline : ((time < inLine) ? inLine : answerDeadline());
	}

	private boolean isOver(ClockReading now) {
		return this.abandoned || now.observerNanos() >= this.deadlines.deadline();
	}

	/**
	 * Whether the wait, which would end with a refusal, goes on for an owner that seems
	 * to have crashed. Nothing but the slot of that owner is asked from then on.
	 */
	private boolean isExtended(ClockReading now) {
		return !this.abandoned && this.slots.only() == null && this.slots.extend(now);
	}

	/**
	 * Returns how the owner was last seen that the granted lock was taken over from, if
	 * any.
	 */
	public @Nullable Observation takenOverFrom() {
		return this.slot.takenOverFrom();
	}

	/** Returns the slots that were answered since this was asked last. */
	public List<LockKey> news() {
		List<LockKey> all = List.copyOf(this.news);
		this.news.clear();
		return all;
	}

	/**
	 * Returns the slots whose turn is over since this was asked last: no call for them is
	 * under way, and nothing is left to clean up.
	 */
	public List<LockKey> left() {
		boolean over = this.ended || this.abandoned;
		return this.slots.left(over, this.calling ? this.slot : null);
	}

	/** Returns whether a wait ends at once, since there is something to do. */
	public boolean isTurned() {
		return this.turned;
	}

	/** Returns the slots that were made. */
	public List<LockKey> keys() {
		return this.slots.all().map(Slot::key).toList();
	}

	/**
	 * Notes that the last step was carried out.
	 * @return for each slot that claims without an answer may have taken, the operation
	 * that releases it, with which its turn is over
	 */
	public Map<LockKey, Operation> ended() {
		this.ended = true;
		this.calling = false;
		return this.slots.cleanups();
	}

	private Step claim(ClockReading now) {
		if (this.abandoned) {
			return end(now);
		}
		this.writing = true;
		return new Step.Write(this.slot.claim(this.slots.only() != null, now), this.deadlines.callLimit(now));
	}

	private Step read(boolean consistent, ClockReading now) {
		if (this.abandoned) {
			return end(now);
		}
		this.writing = false;
		this.slot.reads(now);
		this.consistent = consistent;
		Observation other = consistent ? null : this.slots.toMark(this.slot, now);
		this.marking = other != null;
		if (other == null) {
			return new Step.Read(this.slot.key(), consistent,
					this.deadlines.readLimit(this.slot.evidence().showsHolder(), now));
		}
		this.slot.evidence().showed(this.observations.marks(other, now.observerNanos()));
		return new Step.Mark(this.slot.key(), this.terms.ownerName(),
				this.deadlines.readLimit(this.slot.evidence().showsHolder(), now));
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
		if (this.slot == this.slots.only() && this.deadlines.endedBy(record)) {
			return end(now);
		}
		this.slot.evidence().showedNoOther(MALFORMED);
		if (byRefusal && this.slot.claims().lastIsUnmet(record)) {
			return conditionNotMet(record, now);
		}
		// A refused claim of a free lock must not spin, and an adopted lock is not taken
		// when free.
		return (byRefusal || this.terms.isAdoption()) ? pause(now) : claim(now);
	}

	private Step sawHeld(LockRecord record, boolean byRefusal, ClockReading now) {
		if (byRefusal) {
			// None of them has taken the lock; one that is applied later expires.
			this.slot.claims().resolve();
		}
		Observation other = this.observations.saw(record, now.observerNanos(), this.slot.observation());
		this.slot.evidence().showed(other);
		if (this.slot == this.slots.only() && this.deadlines.endedBy(record)) {
			return end(now);
		}
		if (byRefusal && this.slot.claims().lastIsUnmet(record)) {
			return conditionNotMet(record, now);
		}
		if (record.recordVersionNumber().equals(this.terms.precondition().version())) {
			return pause(now);
		}
		if (!this.slot.canBeTaken(other, now)) {
			this.slots.polled(this.slot.interval(other), now);
			return waitUntil(this.slot.nextPoll(other, now), now);
		}
		return (byRefusal && this.slot.claims().lastWasFor(record)) ? pause(now) : claim(now);
	}

	/** A read showed that the lock has no item. */
	private Step sawNothing(ClockReading now) {
		this.slot.tookNothing();
		this.slot.saw(null);
		this.observations.sawNothing(this.slot.key());
		if (this.slot == this.slots.only() && this.deadlines.endedBy(null)) {
			return end(now);
		}
		this.slot.evidence().showedNoOther(Evidence.NO_ANSWER);
		if (this.consistent && this.slot.isRefused() && this.slot.claims().lastIsUnmet(null)) {
			return conditionNotMet(null, now);
		}
		if (this.terms.precondition().noItem()) {
			return claim(now);
		}
		if (!this.consistent) {
			return read(true, now);
		}
		// It was answered, and what it could have written is not there.
		this.slot.claims().lastHadNoEffect();
		return this.terms.isAdoption() ? end(now) : out(new Step.Absent(), now);
	}

	/** The answer also shows that none of the claims has taken the lock. */
	private Step conditionNotMet(@Nullable LockRecord found, ClockReading now) {
		this.slot.claims().resolve();
		return out(new Step.ConditionNotMet(found), now);
	}

	/** The slot is not asked again. */
	private Step out(Step.End how, ClockReading now) {
		this.slot.out(how);
		return next(now);
	}

	private Step granted(LockRecord record, long sentAt, boolean wanted, ClockReading now) {
		this.slot.evidence().showedNoOther(TOO_LATE);
		this.slot.saw(record);
		boolean latest = this.observations.granted(record, sentAt, now);
		boolean inTime = now.holderNanos() < this.terms.lease().validUntil(sentAt);
		if (latest && inTime) {
			this.slot.claims().resolve();
			// Its lease has the turn now, and the waiters are notified once its caller
			// has the lock.
			this.slot.place(Slot.Place.NONE);
			this.news.remove(record.key());
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

	/** The slot is asked again later; not if the wait is over. */
	private Step waitUntil(long time, ClockReading now) {
		this.slot.dueAt(time);
		this.slot.tried(isOver(now));
		return next(now);
	}

	/**
	 * Waits because a call had no usable answer; for longer if DynamoDB turned it away,
	 * since that takes no time, and DynamoDB may be overloaded. A slot without an answer
	 * waits alone, unless others have none either.
	 */
	private Step retry(ClockReading now) {
		if (this.abandoned || now.observerNanos() >= retriesUntil()) {
			return end(now);
		}
		boolean turnedAway = this.slot.evidence().isTurnedAway();
		boolean alone = this.failures == 1 && !turnedAway;
		double fraction = this.randomness.fraction();
		this.slot.dueAt(retryAt(this.slot.evidence().unanswered(), fraction, now));
		if (!alone) {
			this.pausedUntil = retryAt(this.failures, fraction, now);
		}
		return next(now);
	}

	private long retryAt(int failures, double fraction, ClockReading now) {
		boolean turnedAway = this.slot.evidence().isTurnedAway();
		long pause = Nanos.backoff(failures + (turnedAway ? 1 : 0), fraction);
		return Math.min(Nanos.later(now.observerNanos(), pause), retriesUntil());
	}

	/** For how long to repeat the call for the slot that was asked last. */
	private long retriesUntil() {
		int unanswered = Math.max(this.failures, this.slot.evidence().unanswered());
		return this.deadlines.retriesUntil(unanswered, this.slot.evidence().isTurnedAway());
	}

	private Step.End end(ClockReading now) {
		return this.slots.end(Map.of(), now);
	}

}
