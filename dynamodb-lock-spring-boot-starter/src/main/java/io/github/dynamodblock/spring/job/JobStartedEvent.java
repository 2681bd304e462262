/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

/**
 * Reports that a run of a job has started on this node.
 *
 * @param run the run
 */
public record JobStartedEvent(JobRun run) implements JobEvent {

	@Override
	public LockedJob job() {
		return this.run.job();
	}

}
