/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;

/**
 * One attempt to run a tick of a job.
 *
 * @param job the job
 * @param tick the tick
 * @param attempt the attempt, from 1
 */
public record JobRun(LockedJob job, Instant tick, int attempt) {

	@Override
	public String toString() {
		return "attempt " + this.attempt + " of tick " + this.tick + " of " + this.job;
	}

}
