/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the application that commits only if its lock is held. While the lock
 * is held, the transaction is repeated until its effect is known. DynamoDB recognizes a
 * repetition, so it commits only once. Only the condition on the lock's item decides
 * whether it commits. Clocks don't matter.
 */
public final class GuardedWrite implements Operation {

	/** Less than the ten minutes for which DynamoDB recognizes a repetition. */
	private static final long LONGEST_RETRY_TIME = 300_000_000_000L;

	/** The time for which it is repeated, at most the validity of one lease. */
	private final long retryTime;

	private final Guard guard;

	private final Supplier<Lease> lease;

	private final Object transaction;

	private final Randomness randomness;

	/** Until when it is repeated, on the holder's clock. */
	private long until;

	private int failures;

	private boolean mayBeCommitted;

	private @Nullable Throwable lastProblem;

	/**
	 * Creates a guarded write.
	 * @param lease supplies the present lease, which heartbeats renew meanwhile
	 */
	public GuardedWrite(Supplier<Lease> lease, Object transaction, Randomness randomness) {
		Renewals granted = lease.get().renewals();
		this.guard = granted.guard();
		this.retryTime = Math.min(LONGEST_RETRY_TIME, granted.terms().validityNanos());
		this.lease = lease;
		this.transaction = transaction;
		this.randomness = randomness;
	}

	@Override
	public Step start(ClockReading now) {
		this.until = Nanos.later(now.holderNanos(), this.retryTime);
		return wake(now);
	}

	@Override
	public Step wake(ClockReading now) {
		Lease present = this.lease.get().at(now);
		if (!present.isHeld()) {
			return this.mayBeCommitted ? unconfirmed("before its lock was lost or released") : new Step.NotHeld();
		}
		if (isOverdue(now)) {
			return unconfirmed("within " + LogText.rounded(Duration.ofNanos(this.retryTime)));
		}
		return call(present, now);
	}

	@Override
	public Step.@Nullable Call sending(Step.Call call, Supplier<ClockReading> clock) {
		ClockReading now = clock.get();
		Lease present = this.lease.get().at(now);
		return (present.isHeld() && !isOverdue(now)) ? call(present, now) : null;
	}

	/** After a long time, DynamoDB would no longer recognize a repetition. */
	private boolean isOverdue(ClockReading now) {
		return this.lastProblem != null && now.holderNanos() >= this.until;
	}

	private Step.Transact call(Lease present, ClockReading now) {
		return new Step.Transact(this.guard, this.transaction, present.writeLimitNanos(now));
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Committed committed) {
			return new Step.Committed(committed.response());
		}
		if (answer instanceof Answer.Cancelled cancelled) {
			return cancelled(cancelled.cancellation());
		}
		if (answer instanceof Answer.Refused refused) {
			return new Step.Lost(this.lease.get().renewals().lossShownBy(refused.record()));
		}
		if (answer instanceof Answer.Failed failed && !this.mayBeCommitted) {
			return new Step.Failed(failed.failure());
		}
		this.mayBeCommitted |= answer instanceof Answer.Unknown;
		this.lastProblem = answer.cause();
		this.failures++;
		long pause = Nanos.backoff(this.failures, this.randomness.fraction());
		return new Step.Wait(Nanos.later(now.observerNanos(), pause));
	}

	/**
	 * A cancellation is final only if no earlier attempt may still be in progress and
	 * commit.
	 */
	private Step cancelled(RuntimeException cancellation) {
		if (!this.mayBeCommitted) {
			return new Step.Cancelled(cancellation);
		}
		this.lastProblem = cancellation;
		return unconfirmed("after an unanswered attempt");
	}

	private Step.Failed unconfirmed(String when) {
		Throwable problem = Objects.requireNonNull(this.lastProblem);
		return new Step.Failed(new LockStoreException("The guarded write of lock '"
				+ this.guard.key() + "' was " + (this.mayBeCommitted
						? "not confirmed " + when + "; it may or may not have been committed" : "not committed " + when)
				+ ". Last error: " + problem.getMessage(), problem));
	}

}
