/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.util.Set;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one acquisition, from the first call to the grant or the refusal.
 *
 * <ol>
 * <li>It begins with one conditional write; with a cheaper read only while the memory
 * says that somebody else probably holds the lock. The read waits for its time if an
 * acquisition before has just looked: repeated tries share one schedule.</li>
 * <li>A refused write shows the holder, which is the first observation of it.</li>
 * <li>It looks again from time to time. When the lock is free, or its record version
 * number has stood still for the whole stored lease, it writes.</li>
 * <li>The grant counts from the moment before the write was sent. One that comes when its
 * validity is over is not used: the lock is claimed once more, or freed.</li>
 * <li>A write without an answer may have been applied. It is recognised by its record
 * version number, which this acquisition alone has written.</li>
 * </ol>
 */
public final class Acquisition implements Conversation {

	/** A look that shows a free lock, and the claim that follows. */
	private static final long TIME_TO_TAKE = 100_000_000L;

	private final AcquisitionTerms terms;

	private final Observations observations;

	private final Randomness randomness;

	private final Claims claims;

	private final Answer.Handler<Step> rules = new AnswerRules();

	private Moment now;

	/** What this acquisition wrote itself, and has to write once more. */
	private @Nullable String ours;

	private boolean abandoned;

	/** Whether the last call was a claim. */
	private boolean writing;

	/** Whether the last read must have seen every write before it. */
	private boolean consistent;

	/** Whether the store has answered at all. */
	private boolean heard;

	private int unanswered;

	private Answer.@Nullable Unknown lastProblem;

	/** Somebody else who holds the lock. */
	private @Nullable Observation observation;

	/** The lock as it was seen last, whoever has it. */
	private @Nullable LockRecord seen;

	/**
	 * An acquisition that has not begun.
	 * @param terms what to achieve
	 * @param observations the client's memory
	 * @param randomness where identifiers and jitter come from
	 * @param now the time
	 */
	public Acquisition(AcquisitionTerms terms, Observations observations, Randomness randomness, Moment now) {
		this.terms = terms;
		this.observations = observations;
		this.randomness = randomness;
		this.claims = new Claims(terms, randomness);
		this.now = now;
	}

	@Override
	public Step start(Moment now) {
		this.now = now;
		if (this.abandoned) {
			return giveUp();
		}
		Observation known = isHandedOver() ? null : this.observations.find(key());
		this.observation = known;
		if (known == null || !known.isRecent(now) || isTakeable(known)) {
			return claim();
		}
		long look = nextLook(known);
		return leavesTimeAfter(look) ? new Step.Wait(look) : read(false);
	}

	@Override
	public Step answered(Answer answer, Moment now) {
		this.now = now;
		this.heard |= !(answer instanceof Answer.Unknown);
		return answer.accept(this.rules);
	}

	@Override
	public Step wake(Moment now) {
		this.now = now;
		if (now.observerNanos() >= this.terms.patience()) {
			return giveUp();
		}
		return (this.observation == null || isTakeable(this.observation)) ? claim() : read(false);
	}

	/**
	 * The caller has left. From now on this acquisition begins no call; if one is under
	 * way, its answer leads to the end.
	 */
	public void abandon() {
		this.abandoned = true;
	}

	/**
	 * What to tell a caller whose time is over.
	 * @param now the time
	 * @return the end
	 */
	public Step.End giveUp(Moment now) {
		this.now = now;
		return giveUp();
	}

	/**
	 * Who else holds the lock, as it was seen last.
	 * @return the lock's record, or {@code null} if nobody was seen to hold it
	 */
	public @Nullable LockRecord holder() {
		return (this.observation == null) ? null : this.observation.record();
	}

	/**
	 * Whether nothing is left to do after the end.
	 * @return whether no write of this acquisition may have taken the lock
	 */
	public boolean isSettled() {
		return this.claims.unresolved().isEmpty();
	}

	/**
	 * What is left to do after the end, or after the caller has left: writes without an
	 * answer may have taken the lock.
	 * @return the conversation that frees it
	 */
	public Settlement settlement() {
		return new Settlement(key(), this.terms, this.claims.unresolved(), this.randomness);
	}

	private LockKey key() {
		return this.terms.key();
	}

	private boolean isHandedOver() {
		return this.terms.handedOver() != null;
	}

	private Step claim() {
		if (this.abandoned) {
			return giveUp();
		}
		this.writing = true;
		Set<String> present = (this.seen == null) ? Set.of() : this.seen.attributes().keySet();
		LockWrite.Claim claim = this.claims.next(expired(), present, this.observations.highestToken(key()), this.now);
		return new Step.Write(claim, this.terms.lease().callLimitNanos());
	}

	private @Nullable String expired() {
		if (this.ours != null) {
			return this.ours;
		}
		return (this.observation != null && isTakeable(this.observation))
				? this.observation.record().recordVersionNumber() : null;
	}

	private Step read(boolean consistent) {
		this.writing = false;
		this.consistent = consistent;
		return this.abandoned ? giveUp() : new Step.Read(key(), consistent, this.terms.lease().callLimitNanos());
	}

	/**
	 * Whether a held lock may be claimed now. Whoever was handed a lock over continues
	 * with that one, and takes it from nobody else.
	 */
	private boolean isTakeable(Observation seen) {
		if (isHandedOver()) {
			return false;
		}
		return seen.leaseEnded(this.now) || isInOurName(seen.record()) || nanosByClocks(seen.record()) <= 0;
	}

	private boolean isInOurName(LockRecord record) {
		return record.ownerName().equals(this.terms.grounds().owner());
	}

	/** How long until a lease ends by the owners' clocks, where these are relied on. */
	private long nanosByClocks(LockRecord record) {
		@Nullable Duration bound = this.terms.lease().clockSkewBound();
		if (bound == null || record.leaseEnds().isEmpty()) {
			return Long.MAX_VALUE;
		}
		return Nanos.between(this.now.wallClock(), record.leaseEnds().get().plus(bound));
	}

	/** A read, or the refusal of a claim, showed this. */
	private Step saw(LockRecord record, boolean byRefusal) {
		this.unanswered = 0;
		this.seen = record;
		Long sentAt = this.claims.sentAt(record);
		if (sentAt != null) {
			return granted(record, sentAt);
		}
		this.ours = null;
		if (record.isReleased()) {
			this.observation = null;
			this.observations.sawNobodyElse(record, this.now.observerNanos());
			// A refused claim of a free lock must not spin, and whoever was handed the
			// lock over does not take a free one.
			return (byRefusal || isHandedOver()) ? pause() : claim();
		}
		if (byRefusal) {
			// None of them has taken the lock; one that still lands frees itself.
			this.claims.resolve();
		}
		this.observation = this.observations.saw(record, this.now.observerNanos(), this.observation);
		if (record.recordVersionNumber().equals(this.terms.grounds().version())) {
			return pause();
		}
		if (!isTakeable(this.observation)) {
			return waitUntil(nextLook(this.observation));
		}
		return (byRefusal && (this.claims.lastWasFor(record) || isInOurName(record))) ? pause() : claim();
	}

	/**
	 * Whether the first look may wait for its time: there has to be enough after it for
	 * the answer and a claim.
	 */
	private boolean leavesTimeAfter(long look) {
		return look > this.now.observerNanos() && Nanos.later(look, TIME_TO_TAKE) <= this.terms.deadline();
	}

	private long nextLook(Observation seen) {
		long look = PollSchedule.next(seen, this.randomness.fraction(), this.terms.pollInterval());
		return Math.min(look, Nanos.later(this.now.observerNanos(), nanosByClocks(seen.record())));
	}

	private Step granted(LockRecord record, long sentAt) {
		this.unanswered = 0;
		this.observation = null;
		this.seen = record;
		this.observations.sawNobodyElse(record, this.now.observerNanos());
		HeldLease lease = HeldLease.granted(record, this.terms.lease(), sentAt);
		boolean inTime = this.now.holderNanos() < lease.deadline();
		if (inTime && !this.terms.request().change().leavesBehind(record.attributes().keySet())) {
			this.claims.resolve();
			return new Step.Granted(lease);
		}
		// Too late to be a grant, or with attributes that were to go. The row is still
		// ours, so one more claim mends it; without time for that, the settlement frees
		// it.
		this.ours = record.recordVersionNumber();
		this.claims.tookTheLock(record);
		return (this.now.observerNanos() < this.terms.patience()) ? claim() : giveUp();
	}

	private Step pause() {
		return waitUntil(Nanos.later(this.now.observerNanos(), PollSchedule.FIRST_INTERVAL));
	}

	/** Waits because somebody else holds the lock. */
	private Step waitUntil(long time) {
		if (this.abandoned || this.now.observerNanos() >= this.terms.deadline()) {
			return giveUp();
		}
		return new Step.Wait(Math.min(time, this.terms.deadline()));
	}

	/** Waits because a call was not answered. */
	private Step retry(Answer.Unknown problem) {
		this.lastProblem = problem;
		this.unanswered++;
		if (this.abandoned || this.now.observerNanos() >= this.terms.patience()) {
			return giveUp();
		}
		long pause = Backoff.nanos(this.unanswered, this.randomness.fraction());
		return new Step.Wait(Math.min(Nanos.later(this.now.observerNanos(), pause), this.terms.patience()));
	}

	private Step.End giveUp() {
		if (this.unanswered > 0 && this.lastProblem != null) {
			return failed("DynamoDB gave no usable answer to " + this.unanswered + " calls in a row. The last one: "
					+ this.lastProblem.story(), this.lastProblem.origin());
		}
		if (this.observation != null) {
			long takeableAt = Math.max(0, this.observation.leaseEnds() - this.now.observerNanos());
			long byClocks = Math.max(0, nanosByClocks(this.observation.record()));
			return new Step.Denied(this.observation.record(), Math.min(takeableAt, byClocks));
		}
		// Somebody who was never seen is not to blame for a store that says nothing.
		return this.heard ? new Step.Denied(isHandedOver() ? this.seen : null, null)
				: failed("DynamoDB has not answered yet. Check the endpoint and the region of the DynamoDbClient, "
						+ "and the network up to there", null);
	}

	private Step.Failed failed(String reason, @Nullable Throwable cause) {
		return new Step.Failed(
				new LockStoreException("Lock '" + key() + "' could not be acquired" + waited() + ": " + reason, cause));
	}

	private String waited() {
		return (this.terms.waitNanos() == 0) ? "" : " within " + Duration.ofNanos(this.terms.waitNanos());
	}

	/**
	 * What each answer means.
	 */
	private final class AnswerRules implements Answer.Handler<Step> {

		@Override
		public Step applied(Answer.Applied answer) {
			LockRecord record = answer.record();
			Long sentAt = Acquisition.this.claims.sentAt(record);
			// Without the record the fencing token is unknown, so it is read.
			return (record == null || sentAt == null) ? read(true) : granted(record, sentAt);
		}

		@Override
		public Step refused(Answer.Refused answer) {
			// An item that stops a claim exists, even if the answer does not carry it;
			// unless the claim was for an item that exists.
			return (answer.record() == null) ? read(true) : saw(answer.record(), true);
		}

		@Override
		public Step found(Answer.Found answer) {
			if (answer.record() != null) {
				return saw(answer.record(), false);
			}
			Acquisition.this.unanswered = 0;
			Acquisition.this.ours = null;
			Acquisition.this.observation = null;
			Acquisition.this.seen = null;
			Acquisition.this.observations.sawNothing(key());
			if (Acquisition.this.terms.grounds().noItem()) {
				return claim();
			}
			if (!Acquisition.this.consistent) {
				return read(true);
			}
			// It was answered, and what it could have written is not there.
			Acquisition.this.claims.lastHadNoEffect();
			return isHandedOver() ? giveUp() : new Step.Absent();
		}

		@Override
		public Step unknown(Answer.Unknown answer) {
			return retry(answer);
		}

		@Override
		public Step failed(Answer.Failed answer) {
			if (Acquisition.this.writing) {
				Acquisition.this.claims.lastHadNoEffect();
			}
			return new Step.Failed(answer.failure());
		}

	}

}
