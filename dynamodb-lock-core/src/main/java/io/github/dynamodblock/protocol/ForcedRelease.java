/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.util.HashSet;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/**
 * An administrator's release of somebody else's lock: one write on the owner's name,
 * repeated while it is not answered and there is time.
 */
public final class ForcedRelease implements Operation {

	private final LockKey key;

	private final String expectedOwner;

	private final LeaseTerms terms;

	private final boolean deleteItem;

	private final Randomness randomness;

	private final long answerDeadline;

	private final Answer.Handler<Step> rules = new AnswerRules();

	private final Set<String> sent = new HashSet<>();

	private ClockReading now;

	private int attempts;

	/** Whether a write went unanswered, so that it may have been applied. */
	private boolean mayBeApplied;

	private boolean confirming;

	/**
	 * A release that has not begun.
	 * @param key the lock
	 * @param expectedOwner who must hold it
	 * @param terms the client's terms, which say how long a freed lock's item stays
	 * @param deleteItem whether to delete the lock's item
	 * @param randomness where identifiers and jitter come from
	 * @param now the time
	 */
	public ForcedRelease(LockKey key, String expectedOwner, LeaseTerms terms, boolean deleteItem, Randomness randomness,
			ClockReading now) {
		this.key = key;
		this.expectedOwner = expectedOwner;
		this.terms = terms;
		this.deleteItem = deleteItem;
		this.randomness = randomness;
		this.answerDeadline = Nanos.later(now.observerNanos(), 2 * terms.callLimitNanos());
		this.now = now;
	}

	@Override
	public Step start(ClockReading now) {
		this.now = now;
		return write();
	}

	@Override
	public Step wake(ClockReading now) {
		this.now = now;
		return write();
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		this.now = now;
		return answer.accept(this.rules);
	}

	private Step write() {
		String version = this.randomness.recordVersionNumber();
		this.sent.add(version);
		this.confirming = false;
		return new Step.Write(
				new LockWrite.ForcedRelease(this.key, version, this.expectedOwner,
						new LockWrite.Freeing(this.deleteItem, ItemChange.none(), this.terms.expiresAt(this.now))),
				this.terms.callLimitNanos());
	}

	private Step saw(@Nullable LockRecord record) {
		if (record == null || record.isReleased()) {
			boolean byThis = (record == null) ? this.mayBeApplied : this.sent.contains(record.recordVersionNumber());
			return new Step.Released(byThis ? ReleaseOutcome.RELEASED : ReleaseOutcome.ALREADY_FREE, null);
		}
		if (!record.ownerName().equals(this.expectedOwner)) {
			return new Step.Released(ReleaseOutcome.HELD_BY_ANOTHER, null);
		}
		return retry(new Answer.Unknown(new IllegalStateException("the owner took the lock again meanwhile")));
	}

	private Step retry(Answer.Unknown problem) {
		this.attempts++;
		if (this.now.observerNanos() >= this.answerDeadline) {
			return new Step.Failed(new LockStoreException("The forced release of lock '" + this.key
					+ "' could not be confirmed; look at the lock again. The last call: " + problem.description(),
					problem.origin()));
		}
		long pause = Backoff.nanos(this.attempts, this.randomness.fraction());
		return new Step.Wait(Math.min(this.answerDeadline, Nanos.later(this.now.observerNanos(), pause)));
	}

	/**
	 * What each answer means.
	 */
	private final class AnswerRules implements Answer.Handler<Step> {

		@Override
		public Step applied(Answer.Applied answer) {
			return new Step.Released(ReleaseOutcome.RELEASED, null);
		}

		@Override
		public Step refused(Answer.Refused answer) {
			if (answer.record() != null) {
				return saw(answer.record());
			}
			ForcedRelease.this.confirming = true;
			return new Step.Read(ForcedRelease.this.key, true, ForcedRelease.this.terms.callLimitNanos());
		}

		@Override
		public Step found(Answer.Found answer) {
			return saw(answer.record());
		}

		@Override
		public Step unknown(Answer.Unknown answer) {
			ForcedRelease.this.mayBeApplied |= !ForcedRelease.this.confirming;
			return retry(answer);
		}

		@Override
		public Step failed(Answer.Failed answer) {
			return new Step.Failed(answer.failure());
		}

	}

}
