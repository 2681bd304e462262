/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

/**
 * What happens when ticks of a {@link ScheduledLock} job with a cron expression were
 * missed, because no node was up or the previous run took too long.
 */
public enum OnMissed {

	/**
	 * Missed ticks are counted and logged. The job runs at its next tick.
	 */
	SKIP,

	/**
	 * Missed ticks are counted and logged, and the job runs once for all of them.
	 */
	RUN_ONCE

}
