/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import org.jspecify.annotations.Nullable;

/**
 * A tick whose schedule {@link LockedJobs#tick} names, until a call of a job's method in
 * the same thread takes it.
 */
public final class NamedTick {

	private static final ThreadLocal<@Nullable NamedTick> CURRENT = new ThreadLocal<>();

	private final JobSchedule schedule;

	private volatile boolean begun;

	private NamedTick(JobSchedule schedule) {
		this.schedule = schedule;
	}

	/**
	 * Makes a call, in which the first job is a tick.
	 * @return whether that began
	 */
	static boolean run(JobSchedule schedule, Runnable call) {
		NamedTick outer = CURRENT.get();
		NamedTick named = new NamedTick(schedule);
		CURRENT.set(named);
		try {
			call.run();
			return named.begun;
		}
		finally {
			CURRENT.set(outer);
		}
	}

	/**
	 * Returns whether this thread makes a call by a schedule.
	 * @param schedule the schedule
	 * @return whether it is the schedule of this thread's tick
	 */
	public static boolean isBy(JobSchedule schedule) {
		NamedTick named = CURRENT.get();
		return named != null && named.schedule.equals(schedule);
	}

	/**
	 * Takes the tick of this thread.
	 * @return the tick, or {@code null} if none is named
	 */
	public static @Nullable NamedTick take() {
		NamedTick named = CURRENT.get();
		CURRENT.remove();
		return named;
	}

	/**
	 * Begins the tick: a publisher does when it is subscribed.
	 * @return the schedule
	 */
	public JobSchedule begin() {
		this.begun = true;
		return this.schedule;
	}

}
