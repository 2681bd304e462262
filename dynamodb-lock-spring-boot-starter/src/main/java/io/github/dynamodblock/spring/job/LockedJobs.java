/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The jobs of this application. A job with one lock for each value of an expression is
 * listed from its first run for a value on. Thread-safe.
 */
public final class LockedJobs {

	private final Map<String, LockedJob> jobs = new ConcurrentSkipListMap<>();

	/**
	 * {@return the jobs, by their names, at this time}
	 */
	public List<LockedJob> all() {
		return List.copyOf(this.jobs.values());
	}

	/**
	 * Finds a job.
	 * @param name its name
	 * @return the job, or empty if this application has none of that name
	 */
	public Optional<LockedJob> find(String name) {
		return Optional.ofNullable(this.jobs.get(name));
	}

	/**
	 * Adds a job, or replaces the one of the same name.
	 * @param job the job
	 */
	public void add(LockedJob job) {
		this.jobs.put(job.name(), job);
	}

}
