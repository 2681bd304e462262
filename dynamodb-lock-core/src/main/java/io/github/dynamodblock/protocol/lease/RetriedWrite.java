/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Backoff;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * One conditional write, sent until its effect is known. A call without a usable answer
 * is followed by another after a back-off, as long as time is left. Each write has a
 * fresh record version number, by which its effect is recognised later. Subclasses say
 * what to write, what each answer means and how long to retry. Unless they say otherwise,
 * the write is a best effort: five failed calls end it, without a report.
 */
public abstract class RetriedWrite implements Operation {

	private static final int MOST_FAILURES = 5;

	private final LockKey key;

	private final LeaseTerms terms;

	private final Randomness randomness;

	/** The record version numbers of the writes that were sent. */
	private final Set<String> sent = new HashSet<>();

	/** Whether a write had no answer, so that it may have been applied. */
	private boolean mayBeApplied;

	/** Whether the last call was a consistent read. */
	private boolean reading;

	private int failures;

	private Answer.@Nullable Unknown lastProblem;

	protected RetriedWrite(LockKey key, LeaseTerms terms, Randomness randomness) {
		this.key = key;
		this.terms = terms;
		this.randomness = randomness;
	}

	@Override
	public Step start(ClockReading now) {
		return next(now);
	}

	@Override
	public Step wake(ClockReading now) {
		return next(now);
	}

	@Override
	public final Step answered(Answer answer, ClockReading now) {
		this.mayBeApplied |= answer instanceof Answer.Unknown && !this.reading;
		return decide(answer, now);
	}

	/** What to write now. */
	protected abstract LockWrite write(String recordVersionNumber, ClockReading now);

	/** What follows from an answer. */
	protected abstract Step decide(Answer answer, ClockReading now);

	/** How long the next call may take, in nanoseconds. */
	protected long limitNanos(ClockReading now) {
		return this.terms.callLimitNanos();
	}

	/** For how long to retry, in nanoseconds; not at all unless positive. */
	protected long retryNanos(ClockReading now) {
		return (this.failures < MOST_FAILURES) ? Long.MAX_VALUE : 0;
	}

	/** The end once there is no time to retry. */
	protected Step unconfirmed() {
		return new Step.Settled();
	}

	/** Sends the write, or the read if that has not been answered. */
	protected final Step next(ClockReading now) {
		return this.reading ? read(now) : write(now);
	}

	protected final Step write(ClockReading now) {
		this.reading = false;
		String version = this.randomness.recordVersionNumber();
		this.sent.add(version);
		return new Step.Write(write(version, now), limitNanos(now));
	}

	protected final Step read(ClockReading now) {
		this.reading = true;
		return new Step.Read(this.key, true, limitNanos(now));
	}

	/**
	 * Writes again after a back-off, although nothing shows why the write was refused.
	 */
	protected final Step writeAgain(String problem, ClockReading now) {
		this.reading = false;
		return retry(new Answer.Unknown(new IllegalStateException(problem)), now);
	}

	protected final Step retry(Answer.Unknown problem, ClockReading now) {
		this.lastProblem = problem;
		this.failures++;
		long left = retryNanos(now);
		if (left <= 0) {
			return unconfirmed();
		}
		long pause = Math.min(left, Backoff.nanos(this.failures, this.randomness.fraction()));
		return new Step.Wait(Nanos.later(now.observerNanos(), pause));
	}

	/** A failure because of the last call. */
	protected final Step.Failed failed(String message) {
		Answer.Unknown problem = Objects.requireNonNull(this.lastProblem);
		return new Step.Failed(
				new LockStoreException(message + ". Last call: " + problem.description(), problem.origin()));
	}

	/** Whether one of these writes left the record as it is. */
	protected final boolean wrote(@Nullable LockRecord found) {
		return found != null && this.sent.contains(found.recordVersionNumber());
	}

	/** Whether a write may have been applied although no answer said so. */
	protected final boolean mayBeApplied() {
		return this.mayBeApplied;
	}

}
