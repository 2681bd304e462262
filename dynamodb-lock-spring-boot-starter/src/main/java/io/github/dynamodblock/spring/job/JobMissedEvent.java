/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;
import java.util.List;

/**
 * Reports ticks of a job that no node ran. Published by the node that starts the next
 * run.
 *
 * @param job the job
 * @param ticks the missed ticks in order, at most 1,000
 * @param runOnce whether the job runs once for them
 */
public record JobMissedEvent(LockedJob job, List<Instant> ticks, boolean runOnce) implements JobEvent {

	/**
	 * Copies the ticks.
	 */
	public JobMissedEvent {
		ticks = List.copyOf(ticks);
	}

}
