/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.time.Duration;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of one acquisition have shown for one slot. It decides the result if the
 * lock is not granted: <em>denied</em> only if the last answer showed another owner,
 * <em>failed</em> only if DynamoDB did not answer or rejected a call. There is no result
 * while a call is in progress that can change it.
 */
final class Evidence {

	/** The obstacle before the first answer. */
	static final String NO_ANSWER = "DynamoDB has not answered yet. Check the endpoint and the region of the "
			+ "DynamoDbClient, and the network connection to DynamoDB";

	private static final String NOT_SENT = "the client already makes the maximum number of calls at a time, or its "
			+ "threads get no processor time. Check DynamoDB and the network connection to it, or raise maxConcurrentCalls";

	/** The obstacle of a slot that was never tried. */
	static final String NO_TIME = "there was not enough time to try each of its slots";

	private final AcquisitionTerms terms;

	private @Nullable Observation observation;

	/** Whether the last call waits for its call slot. */
	private boolean queued;

	private long queuedAt;

	/**
	 * Whether the call in progress can change the result: it can take the lock, or shows
	 * it for the first time.
	 */
	private boolean undecided;

	/** Whether this acquisition, and not an earlier one, made the observation. */
	private boolean shown;

	private int unanswered;

	private Answer.@Nullable Problem lastProblem;

	/** Why the lock is not granted although no other owner holds it. */
	private String obstacle = NO_ANSWER;

	Evidence(AcquisitionTerms terms) {
		this.terms = terms;
	}

	@Nullable Observation observation() {
		return this.observation;
	}

	@Nullable LockRecord holder() {
		return (this.observation == null) ? null : this.observation.record();
	}

	/** Returns how many calls in a row failed. */
	int unanswered() {
		return this.unanswered;
	}

	/** Starts with the observation that the client remembers, or {@code null}. */
	void remembers(@Nullable Observation observation) {
		this.observation = observation;
	}

	void showed(Observation observation) {
		this.observation = observation;
		this.shown = true;
	}

	void showedNoOther(String obstacle) {
		this.observation = null;
		this.shown = false;
		this.obstacle = obstacle;
	}

	boolean isShown() {
		return this.shown;
	}

	void claims(ClockReading now) {
		this.undecided = true;
		this.queued = true;
		this.queuedAt = now.observerNanos();
	}

	void reads(ClockReading now) {
		this.undecided = !this.shown;
		this.queued = true;
		this.queuedAt = now.observerNanos();
	}

	/** Notes that the call has its call slot, or was given up. */
	void leavesQueue() {
		this.queued = false;
	}

	boolean isQueued() {
		return this.queued;
	}

	/** Returns when the last call began to wait for its call slot. */
	long queuedAt() {
		return this.queuedAt;
	}

	void answered(Answer answer) {
		this.undecided = false;
		this.queued = false;
		if (answer instanceof Answer.Problem problem) {
			this.unanswered++;
			this.lastProblem = problem;
		}
		else {
			this.unanswered = 0;
		}
	}

	boolean isFailing() {
		return this.unanswered > 0;
	}

	/** Whether the last call failed, and certainly had no effect. */
	boolean isTurnedAway() {
		return isFailing() && this.lastProblem instanceof Answer.NotApplied;
	}

	/**
	 * Whether the last call was answered, and no call is in progress that can change the
	 * result.
	 */
	boolean isConclusive() {
		return this.unanswered == 0 && !this.undecided;
	}

	/** Whether another owner holds the lock, as far as this client knows. */
	boolean hasHolder() {
		return this.observation != null && isConclusive();
	}

	/** The same, if this acquisition has seen the owner itself. */
	boolean showsHolder() {
		return this.shown && hasHolder();
	}

	/** The result for a caller that has no more time. */
	Step.End end(ClockReading now) {
		if (this.unanswered > 0 && this.lastProblem != null) {
			String failed = (this.unanswered == 1) ? "A DynamoDB call failed. Error: "
					: this.unanswered + " consecutive DynamoDB calls failed. Last error: ";
			return failed(failed + this.lastProblem.description(), this.lastProblem.origin());
		}
		if (this.observation != null && !this.undecided) {
			long leaseLeft = Math.max(0, this.observation.leaseEnds() - now.observerNanos());
			long byClocks = Math.max(0, this.terms.lease().nanosByClocks(this.observation.record(), now));
			return new Step.Denied(this.observation.record(), Math.min(leaseLeft, byClocks));
		}
		return failed(!this.undecided ? this.obstacle : (this.queued ? NOT_SENT : NO_ANSWER), null);
	}

	private Step.Failed failed(String reason, @Nullable Throwable cause) {
		long wait = this.terms.waitNanos();
		String waited = (wait == 0) ? "" : " within " + LogText.rounded(Duration.ofNanos(wait));
		return new Step.Failed(new LockStoreException(
				"Lock '" + this.terms.key() + "' could not be acquired" + waited + ": " + reason, cause));
	}

}
