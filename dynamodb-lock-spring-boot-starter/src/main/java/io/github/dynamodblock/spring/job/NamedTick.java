/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import org.jspecify.annotations.Nullable;

/**
 * The schedule that {@link LockedJobs#tick} names, until the advice of a job's method
 * takes it.
 */
public final class NamedTick {

	private static final ThreadLocal<@Nullable JobSchedule> NAMED = new ThreadLocal<>();

	private NamedTick() {
	}

	/**
	 * Makes a call, in which the first job is a tick.
	 * @return whether there was a job
	 */
	static boolean run(JobSchedule schedule, Runnable call) {
		JobSchedule outer = NAMED.get();
		NAMED.set(schedule);
		try {
			call.run();
			return NAMED.get() == null;
		}
		finally {
			NAMED.set(outer);
		}
	}

	/**
	 * Takes the schedule that is named in this thread.
	 * @return the schedule, or {@code null} if the call is no tick
	 */
	public static @Nullable JobSchedule take() {
		JobSchedule named = NAMED.get();
		NAMED.remove();
		return named;
	}

}
