/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;

/**
 * One attempt to run a job for a scheduled time.
 *
 * @param job the job
 * @param tick the scheduled time: the nominal fire time of a cron expression, or when the
 * first attempt was claimed at a rate or with a delay
 * @param attempt the attempt, from 1
 */
public record JobRun(LockedJob job, Instant tick, int attempt) {

	@Override
	public String toString() {
		return "attempt " + this.attempt + " of tick " + this.tick + " of " + this.job;
	}

}
