/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;

/**
 * One attempt to run a tick of a job, or a manual run, which belongs to no tick.
 *
 * @param job the job
 * @param tick the tick; when it was started, for a manual run
 * @param attempt the attempt, from 1; 1 for a manual run
 * @param manual whether the run was started by {@link LockedJobs#runNow}
 */
public record JobRun(LockedJob job, Instant tick, int attempt, boolean manual) {

	/**
	 * Creates an attempt to run a tick.
	 * @param job the job
	 * @param tick the tick
	 * @param attempt the attempt, from 1
	 */
	public JobRun(LockedJob job, Instant tick, int attempt) {
		this(job, tick, attempt, false);
	}

	@Override
	public String toString() {
		return this.manual ? "manual run at " + this.tick + " of " + this.job
				: "attempt " + this.attempt + " of tick " + this.tick + " of " + this.job;
	}

}
