/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * One conditional write, retried until its effect is known. After a call without a usable
 * answer, it makes another one after a back-off. After a refusal without an item, it
 * reads the item. Each write has a new record version number, so its effect can be
 * recognized later. Subclasses decide what to write, what an answer means and how long to
 * retry; by default, as long as two calls may take.
 */
abstract class RetriedWrite implements Operation {

	final LockKey key;

	final LeaseTerms terms;

	private final Randomness randomness;

	private final Set<String> sent = new HashSet<>();

	/** The record version number of the last write. */
	private String version = "";

	/**
	 * Whether the last call is no retry: it is the first call, or follows from an answer.
	 */
	private boolean certain;

	private boolean mayBeApplied;

	/** Whether the last call was a consistent read, or the first one will be. */
	boolean reading;

	private long until;

	private int failures;

	private Answer.@Nullable Problem lastProblem;

	RetriedWrite(LockKey key, LeaseTerms terms, Randomness randomness) {
		this.key = key;
		this.terms = terms;
		this.randomness = randomness;
	}

	@Override
	public final Step start(ClockReading now) {
		this.until = until(now);
		this.certain = true;
		return next(now);
	}

	@Override
	public final Step wake(ClockReading now) {
		this.certain = false;
		return mayRetry(now) ? next(now) : unconfirmed();
	}

	@Override
	public final Step answered(Answer answer, ClockReading now) {
		this.certain = true;
		if (answer instanceof Answer.Problem problem) {
			this.mayBeApplied |= !this.reading && answer instanceof Answer.Unknown;
			return retry(problem, now);
		}
		boolean ambiguous = answer instanceof Answer.Refused && answer.shown() == null;
		return ambiguous ? read(now) : decide(answer, now);
	}

	/**
	 * Builds the call again once it has its call slot. A retry is not sent if its time is
	 * over by then. Any other call is sent, because a lock that is not released stays
	 * held until its lease ends.
	 */
	@Override
	public final Step.@Nullable Call sending(Step.Call call, Supplier<ClockReading> clock) {
		ClockReading now = clock.get();
		if (!this.certain && !mayRetry(now)) {
			return null;
		}
		long limit = Math.max(limitNanos(now), this.certain ? LeaseTerms.SHORTEST_CALL_LIMIT_NANOS : 1);
		return this.reading ? new Step.Read(this.key, true, limit) : new Step.Write(write(this.version, now), limit);
	}

	/**
	 * Returns the write to send now. The version may be that of a write that was not
	 * sent.
	 */
	abstract LockWrite write(String recordVersionNumber, ClockReading now);

	/** Returns the step after a usable answer. */
	abstract Step decide(Answer answer, ClockReading now);

	/** Returns the end once there is no time left to retry. */
	abstract Step unconfirmed();

	/** Until when to retry, on the holder's clock. */
	long until(ClockReading now) {
		return Nanos.later(now.holderNanos(), 2 * this.terms.callLimitNanos());
	}

	private long limitNanos(ClockReading now) {
		return Math.min(longestNanos(), leftNanos(now));
	}

	/** The longest time limit of a call. */
	long longestNanos() {
		return this.terms.callLimitNanos();
	}

	/** The pause after this number of failures in a row. */
	long backoff(int failures, double fraction) {
		return Nanos.backoff(failures, fraction);
	}

	boolean mayRetry(ClockReading now) {
		return now.holderNanos() < this.until;
	}

	private long leftNanos(ClockReading now) {
		return Math.max(1, this.until - now.holderNanos());
	}

	/** Sends the write, or the read if it is still unanswered. */
	private Step next(ClockReading now) {
		return this.reading ? read(now) : write(now);
	}

	final Step write(ClockReading now) {
		this.reading = false;
		this.version = this.randomness.recordVersionNumber();
		this.sent.add(this.version);
		return new Step.Write(write(this.version, now), limitNanos(now));
	}

	final Step read(ClockReading now) {
		this.reading = true;
		return new Step.Read(this.key, true, limitNanos(now));
	}

	/**
	 * @param problem why the last write was not enough
	 */
	final Step writeNext(String problem, ClockReading now) {
		this.reading = false;
		return this.sent.isEmpty() ? write(now) : retry(new Answer.NotApplied(new IllegalStateException(problem)), now);
	}

	final Step retry(Answer.Problem problem, ClockReading now) {
		this.lastProblem = problem;
		this.failures++;
		if (!mayRetry(now)) {
			return unconfirmed();
		}
		long pause = Math.min(leftNanos(now), backoff(this.failures, this.randomness.fraction()));
		return new Step.Wait(Nanos.later(now.observerNanos(), pause));
	}

	/** Returns a failure with the error of the last call. */
	final Step.Failed failed(String message) {
		Answer.Problem problem = Objects.requireNonNull(this.lastProblem);
		return new Step.Failed(
				new LockStoreException(message + ". Last error: " + problem.description(), problem.origin()));
	}

	/** Whether one of these writes wrote the record. */
	final boolean wrote(@Nullable LockRecord found) {
		return found != null && this.sent.contains(found.recordVersionNumber());
	}

	/** Whether a write may have been applied without an answer that says so. */
	final boolean mayBeApplied() {
		return this.mayBeApplied;
	}

}
