/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;

/**
 * The jobs of this application, and how to run one outside of its schedule. A job with
 * one lock for each value of an expression is listed from its first run for a value on.
 * Thread-safe.
 */
public class LockedJobs {

	private final Map<String, RunnableJob> jobs = new ConcurrentSkipListMap<>();

	/**
	 * {@return the jobs, by their names, at this time}
	 */
	public List<LockedJob> all() {
		return this.jobs.values().stream().map(RunnableJob::job).toList();
	}

	/**
	 * Finds a job.
	 * @param name its name
	 * @return the job, or empty if this application has none of that name
	 */
	public Optional<LockedJob> find(String name) {
		return Optional.ofNullable(this.jobs.get(name)).map(RunnableJob::job);
	}

	/**
	 * Starts a manual run of a job: on this node, on the job's scheduler, and outside of
	 * its schedule. No tick counts as run by it, and no tick keeps it from starting; the
	 * next start at a fixed rate counts from its start, and the next one with a fixed
	 * delay from its end. It is not run again if this node crashes. Reads the lock once,
	 * and returns before the run starts: what keeps it from starting after that is logged
	 * at WARN.
	 * @param job a job of this application
	 * @throws ConditionNotMetException if the job is paused
	 * @throws LockNotGrantedException if a client holds the lock, as while the job runs.
	 * A client that seems to have crashed is awaited for one lease
	 * @throws IllegalStateException if this node's clock differs too much from
	 * DynamoDB's, a manual run of the job waits to start on this node, the job's
	 * scheduler rejects it, or the context is closed
	 * @throws IllegalArgumentException if this application has no such job
	 * @throws LockException if DynamoDB does not answer
	 */
	public void runNow(LockedJob job) {
		RunnableJob found = this.jobs.get(job.name());
		if (found == null || !found.job().key().equals(job.key()) || found.job().client() != job.client()) {
			throw new IllegalArgumentException("This application has no " + job);
		}
		found.runNow().run();
	}

	/**
	 * Adds a job, or replaces the one of the same name.
	 * @param job the job
	 * @param runNow starts a manual run
	 */
	public void add(LockedJob job, Runnable runNow) {
		this.jobs.put(job.name(), new RunnableJob(job, runNow));
	}

	private record RunnableJob(LockedJob job, Runnable runNow) {
	}

}
