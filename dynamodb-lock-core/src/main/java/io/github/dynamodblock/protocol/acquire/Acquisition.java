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
 * One acquisition, from its first call to the grant, the refusal or the failure. It is
 * granted one of its slots; an ordinary lock has only one.
 *
 * <ol>
 * <li>It begins with a conditional write. If this client remembers that another owner
 * probably holds the slot, it begins with a read, which is cheaper. If an earlier
 * acquisition has just read the slot, this one waits until the next poll is due, so
 * repeated attempts don't poll more often.</li>
 * <li>It first tries the slots that its client neither holds nor is acquiring, one after
 * the other. Only then does it enter the queues of the other slots. If this client has
 * just released a slot for which another client waits, it lets that client go first.
 * During this pause, it has no turn.</li>
 * <li>If the write is refused, the response shows the holder. This is the first
 * observation.</li>
 * <li>It polls the slots in turn with reads, one call at a time, and at most as often as
 * it would poll four locks. From time to time, it marks a slot instead, so the holder
 * learns that another client waits. When a slot is free, or its record version number has
 * not changed for the whole stored lease, it claims the slot.</li>
 * <li>The lease counts from just before the write was sent. A grant is not used if its
 * validity is over when it arrives, or if another grant to this client may have replaced
 * it. The slot is then claimed once more, or released.</li>
 * <li>A write without an answer may have been applied. It is recognized later by its
 * record version number, which no other write has. In the meantime, other slots are
 * asked, but no further slot is claimed while two slots have unanswered claims.</li>
 * <li>Every claim carries the request's condition, which DynamoDB evaluates. The
 * exception is a claim of a version that this acquisition wrote. That write met the
 * condition, and may have changed the attributes that the condition tests. If a refusal
 * shows a lock that the claim could have taken, the condition was not met, and the slot
 * is not asked again. A read does not evaluate the condition.</li>
 * <li>The wait ends only when the last answers show that others hold all slots. If the
 * wait time ends during a call, the call is finished first, within its own time limit. A
 * failed call is retried until the wait ends, but at least for a moment
 * ({@code Deadlines}). The first failure is always followed by another call.</li>
 * <li>It is therefore <em>denied</em> only if each slot is held by this client, or by
 * another owner whom an answer has shown. It has <em>failed</em> only if DynamoDB did not
 * answer or rejected a call.</li>
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

	/** The slot of the last call. */
	private Slot slot;

	private boolean abandoned;

	private boolean ended;

	/** Whether the caller has received a failure. */
	private boolean failed;

	private boolean calling;

	/** How many calls in a row failed, for any slot. */
	private int failures;

	/** Until when no slot is asked, because calls are failing. */
	private long pausedUntil = Long.MIN_VALUE;

	/** Whether the current wait must end now, for example because a turn has begun. */
	private boolean turned;

	private final Set<LockKey> news = new LinkedHashSet<>();

	/** Whether the last call was a claim. */
	private boolean writing;

	private boolean consistent;

	private boolean marking;

	/** Creates an acquisition for a client that has no others. */
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
				// It is not sent: no caller would take the lock.
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
			// The wait ended during the read. The earlier answers are the result.
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
			// Without the record, the fencing token is unknown.
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
				// The item may be too large for one more attribute, the mark. A read
				// needs none.
				return read(false, now);
			}
			return new Step.Failed(failed.failure());
		}
		LockRecord shown = answer.shown();
		if (shown != null) {
			return saw(shown, answer instanceof Answer.Refused, now);
		}
		// The item that refused the claim exists, even if the answer does not contain it.
		// A claim that requires an item may have found none.
		return (answer instanceof Answer.Refused) ? read(true, now) : sawNothing(now);
	}

	@Override
	public Step wake(ClockReading now) {
		if (!this.turned) {
			// The wait is over, even if this reading of the clock says otherwise.
			this.pausedUntil = now.observerNanos();
			this.slots.awaited(now);
		}
		this.turned = false;
		return noted(next(now));
	}

	/**
	 * Selects the next step when the last slot needs nothing more: a claim of a slot that
	 * may be free, possibly a new one; a retry or a poll of the slot that was asked
	 * longest ago; or a wait.
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
			// An unanswered claim can delay the other slots for long, a read cannot.
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
	 * Begins the turn of a slot for which this acquisition waits in the queue. If its
	 * last step was a wait, {@link #wake} must follow.
	 * @return whether it uses the turn; if not, the caller must end the turn
	 */
	public boolean turn(LockKey key, ClockReading now) {
		boolean over = this.abandoned || this.ended || this.slots.only() != null;
		if (!over && this.calling && this.turned) {
			// During a call, it can use only one turn. Other acquisitions of this client
			// may use the second.
			this.slots.pass(key);
			return false;
		}
		boolean used = !over && this.slots.turn(key, now);
		this.turned |= used;
		return used;
	}

	/**
	 * Ends this acquisition, because its caller has left. It makes no further call. If a
	 * call is in progress, its answer ends the acquisition.
	 */
	public void abandon() {
		this.abandoned = true;
	}

	/**
	 * Returns the result for callers that wait for a slot behind this acquisition, or
	 * {@code null} if the call in progress decides it.
	 */
	public Step.@Nullable End evidence(LockKey key, ClockReading now) {
		Slot slot = this.slots.find(key);
		return (slot != null && slot.hasTurn()) ? slot.endForOthers(this.failed, now) : null;
	}

	/**
	 * Returns the result for the caller once its wait is over, or {@code null} while it
	 * still waits for a call or for an owner that seems to have crashed.
	 * @param ahead the known results of the acquisitions ahead of this one in its queues
	 */
	public Step.@Nullable End overdue(Map<LockKey, Step.End> ahead, ClockReading now) {
		boolean isKnown = isOver(now) && this.slots.areDecided(ahead, now);
		if (isKnown && isExtended(now)) {
			// From now on, it asks only the slot of that owner.
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
	 * Returns when to call {@link #overdue} next, on
	 * {@link ClockReading#observerNanos()}.
	 */
	public long overdueAt(ClockReading now) {
		long time = now.observerNanos();
		long deadline = this.deadlines.deadline();
		// At the deadline, the acquisitions ahead may also still wait for a call slot.
		long inLine = this.slots.standInLine() ? this.terms.sendDeadline() : deadline;
		return (time < deadline) ? deadline : ((time < inLine) ? inLine : answerDeadline());
	}

	private boolean isOver(ClockReading now) {
		return this.abandoned || now.observerNanos() >= this.deadlines.deadline();
	}

	/**
	 * Whether the acquisition waits longer than its wait time, for an owner that seems to
	 * have crashed. From then on, only the slot of that owner is asked.
	 */
	private boolean isExtended(ClockReading now) {
		return !this.abandoned && this.slots.only() == null && this.slots.extend(now);
	}

	/**
	 * Returns the last observation of the owner from whom the granted lock was taken
	 * over, or {@code null} if it was free.
	 */
	public @Nullable Observation takenOverFrom() {
		return this.slot.takenOverFrom();
	}

	/** Returns the slots that were answered since the last call of this method. */
	public List<LockKey> news() {
		List<LockKey> all = List.copyOf(this.news);
		this.news.clear();
		return all;
	}

	/**
	 * Returns the slots whose turn has ended since the last call of this method. A turn
	 * ends once the slot needs no cleanup and no call for it is in progress.
	 */
	public List<LockKey> left() {
		boolean over = this.ended || this.abandoned;
		return this.slots.left(over, this.calling ? this.slot : null);
	}

	public boolean isTurned() {
		return this.turned;
	}

	/** Returns the keys of the slots that were used so far. */
	public List<LockKey> keys() {
		return this.slots.all().map(Slot::key).toList();
	}

	/**
	 * Notes that the acquisition has ended.
	 * @return for each slot with an unanswered claim, the operation that releases the
	 * slot if the claim took it. The slot's turn ends with that operation.
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

	/** A read, or the refusal of a claim, found this record. */
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
		// A refused claim of a free lock must not spin. An adoption does not take a free
		// lock.
		return (byRefusal || this.terms.isAdoption()) ? pause(now) : claim(now);
	}

	private Step sawHeld(LockRecord record, boolean byRefusal, ClockReading now) {
		if (byRefusal) {
			// No claim has taken the lock so far. One that is applied later expires with
			// its lease.
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
		// The last claim was answered, and the item that it could have written does not
		// exist.
		this.slot.claims().lastHadNoEffect();
		return this.terms.isAdoption() ? end(now) : out(new Step.Absent(), now);
	}

	/** The answer also shows that none of the claims has taken the lock. */
	private Step conditionNotMet(@Nullable LockRecord found, ClockReading now) {
		this.slot.claims().resolve();
		return out(new Step.ConditionNotMet(found), now);
	}

	/** Does not ask the slot again. */
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
			// The lease has the turn now. The waiters are notified when the caller has
			// the lock.
			this.slot.place(Slot.Place.NONE);
			this.news.remove(record.key());
			return new Step.Granted(record, sentAt, wanted);
		}
		// The grant came too late, or another concurrent grant to this client may have
		// replaced it. One more claim of this version settles that. If there is no time
		// left, the cleanup releases the lock instead. The same applies if the claim
		// copies attributes, because the first claim has already changed them.
		this.slot.tookTheLock(record);
		boolean repeatable = this.terms.request().change().copies().isEmpty();
		return (repeatable && now.observerNanos() < this.deadlines.answerDeadline()) ? claim(now) : end(now);
	}

	private Step pause(ClockReading now) {
		return waitUntil(Nanos.later(now.observerNanos(), Observation.FIRST_POLL_INTERVAL), now);
	}

	/** Asks the slot again later, unless the wait is over. */
	private Step waitUntil(long time, ClockReading now) {
		this.slot.dueAt(time);
		this.slot.tried(isOver(now));
		return next(now);
	}

	/**
	 * Waits after a call without a usable answer. The wait is longer if DynamoDB turned
	 * the call away, because it may be overloaded and such answers come at once. After
	 * one unanswered call, only its slot waits. If more calls fail, or DynamoDB turned
	 * one away, all slots wait.
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

	private long retriesUntil() {
		int unanswered = Math.max(this.failures, this.slot.evidence().unanswered());
		return this.deadlines.retriesUntil(unanswered, this.slot.evidence().isTurnedAway());
	}

	private Step.End end(ClockReading now) {
		return this.slots.end(Map.of(), now);
	}

}
