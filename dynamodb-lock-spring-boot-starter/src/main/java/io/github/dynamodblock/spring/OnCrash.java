/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

/**
 * What happens to a run of a {@link ScheduledLock} job whose node has crashed.
 */
public enum OnCrash {

	/**
	 * Another node runs it again, as the next attempt of the same tick, once the lease of
	 * the crashed node has expired.
	 */
	RERUN,

	/**
	 * It is not run again. The job runs at its next tick.
	 */
	NEXT_TICK

}
