/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.Set;
import java.util.function.Supplier;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.AttributeReplacement;
import io.github.dynamodblock.protocol.Backoff;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one acquisition, from the first call to the grant or the refusal.
 *
 * <ol>
 * <li>It begins with one conditional write; with a cheaper read only while the memory
 * says that another client probably holds the lock. The read waits for its time if an
 * earlier acquisition has just read it: repeated tries share one schedule.</li>
 * <li>A refused write shows the holder, which is the first observation of it.</li>
 * <li>It polls the lock. When the lock is free, or its record version number has not
 * changed for the whole stored lease, it writes.</li>
 * <li>The grant counts from the moment before the write was sent. One that comes when its
 * validity is over, or that may have been replaced by another grant to this client, is
 * not used: the lock is claimed once more, or freed.</li>
 * <li>A write without an answer may have been applied. It is recognised by its record
 * version number, which this acquisition alone has written.</li>
 * <li>The wait is time for others who hold the lock. It ends while another owner is seen
 * to hold the lock, never in the middle of the call that would show whether one does:
 * that call has its own limit, and a failed call is repeated for the time of two
 * calls.</li>
 * <li>So it is <em>denied</em> only if the last answer showed another owner, and
 * <em>failed</em> only if DynamoDB did not answer or refused.</li>
 * </ol>
 */
public final class Acquisition implements Operation {

	private static final String MALFORMED = "DynamoDB refuses to change its item, although that says that the lock is "
			+ "released. Check that the item's attributes have the types of a lock's";

	private static final String TOO_LATE = "The lease that DynamoDB granted had ended when its answer came, or "
			+ "may have been replaced by another grant to this client";

	private final AcquisitionTerms terms;

	private final Deadlines deadlines;

	private final Observations observations;

	private final Randomness randomness;

	private final Claims claims;

	private final Evidence evidence;

	private ClockReading now;

	/** What this acquisition wrote itself, and has to write once more. */
	private @Nullable String ours;

	private boolean abandoned;

	/** Whether the last call was a claim. */
	private boolean writing;

	/** Whether the last read must have seen every write before it. */
	private boolean consistent;

	/** The lock of another owner, whose lease has ended, that the last claim was for. */
	private @Nullable Observation overtaken;

	/** The lock as it was read last, of any owner. */
	private @Nullable LockRecord seen;

	/**
	 * An acquisition that has not begun.
	 * @param terms what to achieve
	 * @param observations the client's memory
	 * @param randomness where identifiers and jitter come from
	 * @param now the time
	 */
	public Acquisition(AcquisitionTerms terms, Observations observations, Randomness randomness, ClockReading now) {
		this.terms = terms;
		this.deadlines = new Deadlines(terms);
		this.observations = observations;
		this.randomness = randomness;
		this.claims = new Claims(terms, randomness);
		this.evidence = new Evidence(terms);
		this.now = now;
	}

	@Override
	public Step start(ClockReading now) {
		this.now = now;
		this.deadlines.begin(now);
		if (this.abandoned) {
			return end();
		}
		Observation known = isHandedOver() ? null : this.observations.find(key());
		this.evidence.remembers(known);
		if (known == null || !known.isRecent(now) || canBeTaken(known)) {
			return claim();
		}
		long poll = nextPoll(known);
		boolean later = poll > now.observerNanos() && poll <= this.terms.deadline();
		return later ? new Step.Wait(poll, known.record()) : read(false);
	}

	@Override
	public Step.@Nullable Call sending(Step.Call call, Supplier<ClockReading> clock) {
		if (this.abandoned) {
			if (this.writing) {
				// No caller would take the lock.
				this.claims.lastHadNoEffect();
			}
			return null;
		}
		return this.writing ? new Step.Write(this.claims.sending(clock.get()), call.limitNanos()) : call;
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		this.now = now;
		this.evidence.answered(answer);
		if (answer instanceof Answer.Applied applied) {
			LockRecord record = applied.record();
			Long sentAt = this.claims.sentAt(record);
			// Without the record the fencing token is unknown, so it is read.
			return (record == null || sentAt == null) ? read(true) : granted(record, sentAt);
		}
		if (answer instanceof Answer.Unknown) {
			return retry();
		}
		if (answer instanceof Answer.Failed failed) {
			if (this.writing) {
				this.claims.lastHadNoEffect();
			}
			return new Step.Failed(failed.failure());
		}
		LockRecord shown = answer.shown();
		if (shown != null) {
			return saw(shown, answer instanceof Answer.Refused);
		}
		// An item that stops a claim exists, even if the answer does not carry it;
		// unless the claim was for an item that exists.
		return (answer instanceof Answer.Refused) ? read(true) : sawNothing();
	}

	@Override
	public Step wake(ClockReading now) {
		this.now = now;
		if (this.evidence.isFailing() && now.observerNanos() >= this.deadlines.retriesUntil()) {
			return end();
		}
		Observation other = this.evidence.observation();
		if (other == null || canBeTaken(other)) {
			return claim();
		}
		return (isOver() && this.evidence.showsHolder()) ? end() : read(false);
	}

	/**
	 * The caller has left. From now on this acquisition begins no call; if one is under
	 * way, its answer leads to the end.
	 */
	public void abandon() {
		this.abandoned = true;
	}

	/**
	 * What is known of the lock now, for callers that wait behind this acquisition.
	 * @param now the time
	 * @return who holds it or why that is not known, or {@code null} if the answer to the
	 * call under way has to show it
	 */
	public Step.@Nullable End evidence(ClockReading now) {
		this.now = now;
		return (this.evidence.isFailing() || this.evidence.hasHolder()) ? end() : null;
	}

	/**
	 * The result for a caller whose wait is over.
	 * @param now the time
	 * @return the end, or {@code null} while the call under way is awaited, or an owner
	 * that seems to have crashed
	 */
	public Step.@Nullable End overdue(ClockReading now) {
		this.now = now;
		Observation other = this.evidence.observation();
		boolean busy = isOver() && other != null && this.evidence.showsHolder() && !canBeTaken(other);
		return (busy || now.observerNanos() >= this.deadlines.answerDeadline()) ? end() : null;
	}

	/**
	 * When to ask next whether the caller's wait is over.
	 * @param now the time
	 * @return the time, on {@link ClockReading#observerNanos()}
	 */
	public long overdueAt(ClockReading now) {
		return (now.observerNanos() < this.deadlines.deadline()) ? this.deadlines.deadline()
				: this.deadlines.answerDeadline();
	}

	/** Whether the wait is over; it may be extended for an owner that was just seen. */
	private boolean isOver() {
		if (!this.abandoned && this.evidence.showsHolder()) {
			this.deadlines.extend(this.evidence.observation(), this.now);
		}
		return this.abandoned || this.now.observerNanos() >= this.deadlines.deadline();
	}

	/**
	 * {@return the last sight of the owner that the lock was taken over from, if any}
	 */
	public @Nullable Observation overtaken() {
		return (this.overtaken != null && isInOurName(this.overtaken.record())) ? null : this.overtaken;
	}

	/**
	 * {@return whether nothing is left to do: no write may have taken the lock}
	 */
	public boolean isSettled() {
		return this.claims.unresolved().isEmpty();
	}

	/**
	 * {@return the operation that frees what writes without an answer may have taken}
	 */
	public ClaimCleanup cleanup() {
		return new ClaimCleanup(this.terms, this.claims.unresolved(), this.randomness);
	}

	private LockKey key() {
		return this.terms.key();
	}

	private boolean isHandedOver() {
		return this.terms.handedOver() != null;
	}

	private Step claim() {
		if (this.abandoned) {
			return end();
		}
		this.writing = true;
		this.evidence.claims();
		Set<String> present = (this.seen == null) ? Set.of() : this.seen.attributes().keySet();
		LockWrite.Claim claim = this.claims.next(this.deadlines.precondition(expired()), present,
				this.observations.highestToken(key()), this.now);
		return new Step.Write(claim, this.terms.lease().callLimitNanos());
	}

	private @Nullable String expired() {
		if (this.ours != null) {
			return this.ours;
		}
		Observation other = this.evidence.observation();
		this.overtaken = (other != null && canBeTaken(other)) ? other : null;
		return (this.overtaken != null) ? this.overtaken.record().recordVersionNumber() : null;
	}

	private Step read(boolean consistent) {
		if (this.abandoned) {
			return end();
		}
		this.writing = false;
		this.evidence.reads();
		this.consistent = consistent;
		return new Step.Read(key(), consistent, this.terms.lease().callLimitNanos());
	}

	/** A lock that was handed over is taken from no other owner. */
	private boolean canBeTaken(Observation seen) {
		return !isHandedOver() && (seen.leaseEnded(this.now) || isInOurName(seen.record())
				|| this.terms.lease().nanosByClocks(seen.record(), this.now) <= 0);
	}

	private boolean isInOurName(LockRecord record) {
		return record.ownerName().equals(this.terms.precondition().owner());
	}

	/** A read, or the refusal of a claim, showed this. */
	private Step saw(LockRecord record, boolean byRefusal) {
		this.seen = record;
		Long sentAt = this.claims.sentAt(record);
		if (sentAt != null) {
			return granted(record, sentAt);
		}
		this.ours = null;
		if (record.isReleased()) {
			this.observations.sawNoOtherOwner(record, this.now.observerNanos());
			if (this.deadlines.endedBy(record)) {
				return end();
			}
			this.evidence.showedNoOther(MALFORMED);
			// A refused claim of a free lock must not spin, and a lock that was
			// handed over is not taken when free.
			return (byRefusal || isHandedOver()) ? pause() : claim();
		}
		if (byRefusal) {
			// None of them has taken the lock; one that is applied later expires.
			this.claims.resolve();
		}
		Observation other = this.observations.saw(record, this.now.observerNanos(), this.evidence.observation());
		this.evidence.showed(other);
		if (this.deadlines.endedBy(record)) {
			return end();
		}
		if (record.recordVersionNumber().equals(this.terms.precondition().version())) {
			return pause();
		}
		if (!canBeTaken(other)) {
			return waitUntil(nextPoll(other));
		}
		return (byRefusal && (this.claims.lastWasFor(record) || isInOurName(record))) ? pause() : claim();
	}

	/** A read showed that the lock has no item. */
	private Step sawNothing() {
		this.ours = null;
		this.seen = null;
		this.observations.sawNothing(key());
		if (this.deadlines.endedBy(null)) {
			return end();
		}
		this.evidence.showedNoOther(Evidence.NO_ANSWER);
		if (this.terms.precondition().noItem()) {
			return claim();
		}
		if (!this.consistent) {
			return read(true);
		}
		// It was answered, and what it could have written is not there.
		this.claims.lastHadNoEffect();
		return isHandedOver() ? end() : new Step.Absent();
	}

	private long nextPoll(Observation seen) {
		long poll = PollSchedule.next(seen, this.randomness.fraction(), this.terms.pollInterval());
		long byClocks = this.terms.lease().nanosByClocks(seen.record(), this.now);
		return Math.min(poll, Nanos.later(this.now.observerNanos(), byClocks));
	}

	private Step granted(LockRecord record, long sentAt) {
		this.evidence.showedNoOther(TOO_LATE);
		this.seen = record;
		boolean latest = this.observations.granted(record, sentAt, this.now);
		boolean inTime = this.now.holderNanos() < this.terms.lease().validUntil(sentAt);
		boolean incomplete = AttributeReplacement.isIncomplete(this.terms.request().change(),
				record.attributes().keySet());
		if (latest && inTime && !incomplete) {
			this.claims.resolve();
			return new Step.Granted(record, sentAt);
		}
		// Too late to be a grant, with attributes that were to go, or at the same time as
		// another grant to this client, which may have replaced it. One more claim of
		// this version settles that; without time for it, the settlement frees the lock.
		this.ours = record.recordVersionNumber();
		this.claims.tookTheLock(record);
		return (this.now.observerNanos() < this.deadlines.answerDeadline()) ? claim() : end();
	}

	private Step pause() {
		return waitUntil(Nanos.later(this.now.observerNanos(), PollSchedule.FIRST_INTERVAL));
	}

	/** Waits because another client holds the lock. */
	private Step waitUntil(long time) {
		if (isOver()) {
			return end();
		}
		return new Step.Wait(Math.min(time, this.deadlines.deadline()), this.evidence.holder());
	}

	/** Waits because a call was not answered. */
	private Step retry() {
		if (this.abandoned || this.now.observerNanos() >= this.deadlines.retriesUntil()) {
			return end();
		}
		long pause = Backoff.nanos(this.evidence.unanswered(), this.randomness.fraction());
		long until = Math.min(Nanos.later(this.now.observerNanos(), pause), this.deadlines.retriesUntil());
		return new Step.Wait(until, this.evidence.holder());
	}

	private Step.End end() {
		return (isHandedOver() && this.evidence.isConclusive()) ? new Step.Denied(this.seen, null)
				: this.evidence.end(this.now);
	}

}
