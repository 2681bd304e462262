/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.time.Duration;

/**
 * What a run is judged by.
 *
 * @param nodes how many nodes take part
 * @param lease how long a lock outlives its owner's last heartbeat
 * @param tick the time between two attempts of one node at the job
 * @param job the key of the job's lock, which nodes only try; for all others they wait
 * @param fewestRuns how many sections there must be for the run to mean anything
 */
record Rules(int nodes, Duration lease, Duration tick, String job, int fewestRuns) {

	private static final Duration WAITERS_GRACE = Duration.ofSeconds(1);

	boolean isJob(String key) {
		return this.job.equals(key);
	}

	/**
	 * The longest time from the kill to the takeover of a lock. It counts from the last
	 * heartbeat, which is not later than the kill. A node that only tries sees that
	 * heartbeat up to a tick later, and tries again up to a tick after the lease's end.
	 */
	Duration latestTakeover(String key) {
		return this.lease.plus(isJob(key) ? this.tick.multipliedBy(2) : WAITERS_GRACE);
	}

}
