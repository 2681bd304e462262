/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * Completes the observation of an acquisition that was refused: one read when the
 * holder's lease would end. A holder that crashed within that time has then been seen
 * with its last record version number, so that a later try takes over at once. Nothing is
 * read if the client saw the lock change in the meantime.
 */
public final class BackgroundRead implements Operation {

	private final LockKey key;

	private final Observations observations;

	/** What is to be completed. */
	private @Nullable Observation observation;

	/**
	 * A completion that has not begun; {@link Observations#complete} makes it.
	 */
	BackgroundRead(LockKey key, Observations observations) {
		this.key = key;
		this.observations = observations;
	}

	@Override
	public Step start(ClockReading now) {
		this.observation = this.observations.find(this.key);
		return (this.observation == null) ? end(null, now) : new Step.Wait(this.observation.leaseEnds());
	}

	@Override
	public Step wake(ClockReading now) {
		Observation known = this.observations.find(this.key);
		if (known == null || this.observation == null) {
			return end(null, now);
		}
		if (!known.isOf(this.observation.record())) {
			// An acquisition that was refused later has still to complete its own.
			this.observation = known;
			return known.leaseEnded(now) ? end(null, now) : new Step.Wait(known.leaseEnds());
		}
		return known.lastSeen() >= known.leaseEnds() ? end(null, now)
				: new Step.Read(this.key, false, Step.Call.LONGEST_NANOS);
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		return end((answer instanceof Answer.Found found) ? found : null, now);
	}

	private Step end(Answer.@Nullable Found found, ClockReading now) {
		this.observations.completed(this.key, this.observation, found, now);
		return new Step.Settled();
	}

}
