/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
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
 * says that somebody else probably holds the lock.</li>
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

	private final AcquisitionTerms terms;

	private final Observations observations;

	private final Randomness randomness;

	/** The time before each write was first sent, by its record version number. */
	private final Map<String, Long> sent = new HashMap<>();

	/** The writes that may have taken the lock without this acquisition's knowledge. */
	private final Set<String> unresolved = new HashSet<>();

	private final Answer.Handler<Step> rules = new AnswerRules();

	private Moment now;

	private LockWrite.@Nullable Claim claim;

	/** What this acquisition wrote itself, too late to be used. */
	private @Nullable String overdue;

	private boolean abandoned;

	/** Whether the last call was a claim. */
	private boolean writing;

	/** Whether the store has answered at all. */
	private boolean heard;

	private int unanswered;

	private Answer.@Nullable Unknown lastProblem;

	private @Nullable Observation observation;

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
		this.now = now;
	}

	@Override
	public Step start(Moment now) {
		this.now = now;
		this.observation = this.observations.find(key());
		return (this.observation != null && this.observation.isRecent(now)) ? look() : claim();
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
		if (this.observation == null || this.observation.leaseEnded(now)) {
			return claim();
		}
		return look();
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
	 * Whether nothing is left to do after the end.
	 * @return whether no write of this acquisition may have taken the lock
	 */
	public boolean isSettled() {
		return this.unresolved.isEmpty();
	}

	/**
	 * What is left to do after the end, or after the caller has left: writes without an
	 * answer may have taken the lock.
	 * @return the conversation that frees it
	 */
	public Settlement settlement() {
		return new Settlement(key(), this.terms, Set.copyOf(this.unresolved), this.randomness);
	}

	private LockKey key() {
		return this.terms.key();
	}

	private Step claim() {
		if (this.abandoned) {
			return giveUp();
		}
		String version = this.randomness.recordVersionNumber();
		LockRecord wanted = LockRecord
			.builder(key(), this.terms.ownerName(), this.terms.lease().leaseDuration(), version)
			.data(this.terms.request().data().orElse(null))
			.acquiredAt(this.now.wallClock())
			.build();
		long seed = Math.max(this.now.wallClockMicros(), this.observations.highestToken(key()));
		this.claim = new LockWrite.Claim(wanted, seed, this.terms.lease().expiresAt(this.now), expired());
		this.sent.put(version, this.now.holderNanos());
		this.unresolved.add(version);
		this.writing = true;
		return new Step.Write(this.claim, this.terms.lease().callLimitNanos());
	}

	private @Nullable String expired() {
		if (this.overdue != null) {
			return this.overdue;
		}
		return (this.observation != null && this.observation.leaseEnded(this.now))
				? this.observation.record().recordVersionNumber() : null;
	}

	private Step look() {
		return read(false);
	}

	private Step read(boolean consistent) {
		this.writing = false;
		return this.abandoned ? giveUp() : new Step.Read(key(), consistent, this.terms.lease().callLimitNanos());
	}

	/** A read, or the refusal of a claim, showed this. */
	private Step saw(LockRecord record, boolean byRefusal) {
		this.unanswered = 0;
		if (record.isReleased()) {
			this.observation = null;
			this.observations.sawNobodyElse(record, this.now.observerNanos());
			// A claim that was refused although the lock is free must not spin.
			return byRefusal ? pause() : claim();
		}
		Long sentAt = this.sent.get(record.recordVersionNumber());
		if (sentAt != null) {
			return granted(record, sentAt);
		}
		if (byRefusal) {
			// The row as it was after all of them: none of them took the lock.
			this.unresolved.clear();
		}
		this.overdue = null;
		this.observation = this.observations.saw(record, this.now.observerNanos(), this.observation);
		if (!this.observation.leaseEnded(this.now)) {
			return waitUntil(PollSchedule.next(this.observation, this.now, this.randomness.fraction()));
		}
		boolean justRefused = byRefusal && this.claim != null
				&& record.recordVersionNumber().equals(this.claim.expired());
		return justRefused ? pause() : claim();
	}

	private Step granted(LockRecord record, long sentAt) {
		this.unanswered = 0;
		this.observation = null;
		this.observations.sawNobodyElse(record, this.now.observerNanos());
		HeldLease lease = HeldLease.granted(record, this.terms.lease(), sentAt);
		if (this.now.holderNanos() < lease.deadline()) {
			this.unresolved.clear();
			return new Step.Granted(lease);
		}
		// Too late to be a grant. The row is still ours, so one more claim makes it one;
		// without time for that, the settlement frees it.
		this.overdue = record.recordVersionNumber();
		this.unresolved.add(this.overdue);
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
			long takeableIn = Math.max(0, this.observation.leaseEnds() - this.now.observerNanos());
			return new Step.Denied(this.observation.record(), takeableIn);
		}
		// Somebody who was never seen is not to blame for a store that says nothing.
		return this.heard ? new Step.Denied(null, null)
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
			Long sentAt = (record == null) ? null : Acquisition.this.sent.get(record.recordVersionNumber());
			// Without the record the fencing token is unknown, so it is read.
			return (record == null || sentAt == null) ? read(true) : granted(record, sentAt);
		}

		@Override
		public Step refused(Answer.Refused answer) {
			// An item that stops a claim exists, even if the answer does not carry it.
			return (answer.record() == null) ? read(true) : saw(answer.record(), true);
		}

		@Override
		public Step found(Answer.Found answer) {
			if (answer.record() != null) {
				return saw(answer.record(), false);
			}
			Acquisition.this.unanswered = 0;
			Acquisition.this.overdue = null;
			Acquisition.this.observation = null;
			Acquisition.this.observations.sawNothing(key());
			return claim();
		}

		@Override
		public Step unknown(Answer.Unknown answer) {
			return retry(answer);
		}

		@Override
		public Step failed(Answer.Failed answer) {
			if (Acquisition.this.claim != null && Acquisition.this.writing) {
				Acquisition.this.unresolved.remove(Acquisition.this.claim.recordVersionNumber());
			}
			return new Step.Failed(answer.failure());
		}

	}

}
