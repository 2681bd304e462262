/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import io.github.dynamodblock.spring.job.JobRun;
import io.github.dynamodblock.spring.job.LockedJob;

/**
 * Reports that a run of a job did not finish: its node crashed, or lost the lock.
 * Published by the node that starts the next run.
 *
 * @param run the run that did not finish
 * @param rerun whether this node runs the same tick again
 */
public record JobCrashedEvent(JobRun run, boolean rerun) implements JobEvent {

	@Override
	public LockedJob job() {
		return this.run.job();
	}

}
