/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;

/** A consistent read of a lock on demand, retried for as long as one call may take. */
public final class Lookup implements Operation {

	private final LockKey key;

	private final Randomness randomness;

	/** Until when to retry, on the observer's clock. */
	private long until;

	private int failures;

	public Lookup(LockKey key, Randomness randomness) {
		this.key = key;
		this.randomness = randomness;
	}

	@Override
	public Step start(ClockReading now) {
		this.until = Nanos.later(now.observerNanos(), Step.Call.LONGEST_NANOS);
		return wake(now);
	}

	@Override
	public Step wake(ClockReading now) {
		return new Step.Read(this.key, true,
				(this.failures == 0) ? Step.Call.LONGEST_NANOS : Math.max(1, this.until - now.observerNanos()));
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Found found) {
			return new Step.Found(found.record());
		}
		if (!(answer instanceof Answer.Problem problem)) {
			return new Step.Failed(((Answer.Failed) answer).failure());
		}
		this.failures++;
		long retry = Nanos.later(now.observerNanos(), Nanos.backoff(this.failures, this.randomness.fraction()));
		return (retry < this.until) ? new Step.Wait(retry) : new Step.Failed(new LockStoreException(
				"Lock '" + this.key + "' could not be read: " + problem.description(), problem.origin()));
	}

}
