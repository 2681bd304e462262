/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import org.jspecify.annotations.Nullable;

/**
 * A tick for which {@link LockedJobs#tick} supplies the schedule. The next call of a
 * job's method in the same thread takes it.
 */
public final class NamedTick {

	private static final ThreadLocal<@Nullable NamedTick> CURRENT = new ThreadLocal<>();

	private final JobSchedule schedule;

	/**
	 * The method with this schedule, or {@code null} for any method without a schedule.
	 */
	private final @Nullable String location;

	private volatile boolean begun;

	private NamedTick(JobSchedule schedule, @Nullable String location) {
		this.schedule = schedule;
		this.location = location;
	}

	/**
	 * Makes a call, in which the first call of a method is a tick.
	 * @param location the method, or {@code null} for the first job without a schedule
	 * @return whether the tick began
	 */
	static boolean run(JobSchedule schedule, @Nullable String location, Runnable call) {
		NamedTick outer = CURRENT.get();
		NamedTick named = new NamedTick(schedule, location);
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
	 * Takes the tick of this thread.
	 * @param location the method that is called
	 * @param scheduled whether the method has a schedule
	 * @return the tick, or {@code null} if none is named for the method
	 */
	public static @Nullable NamedTick take(String location, boolean scheduled) {
		NamedTick named = CURRENT.get();
		if (named == null || ((named.location != null) ? !named.location.equals(location) : scheduled)) {
			return null;
		}
		CURRENT.remove();
		return named;
	}

	/**
	 * Begins the tick; for a publisher, when it is subscribed.
	 * @return the schedule
	 */
	public JobSchedule begin() {
		this.begun = true;
		return this.schedule;
	}

}
