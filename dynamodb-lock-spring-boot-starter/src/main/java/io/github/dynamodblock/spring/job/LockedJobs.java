/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;

/**
 * The jobs of this application, and how to run one outside of its schedule. A job with
 * one lock for each value of an expression is listed from its first run for a value on,
 * with the 1,000 values that were listed last. Thread-safe.
 */
public class LockedJobs {

	private static final int MOST_LISTED = 1_000;

	private final Map<String, Listed> jobs = new HashMap<>();

	/** Those with a key, in the order in which they were listed. */
	private final Deque<String> keyed = new ArrayDeque<>();

	/**
	 * {@return the jobs, ordered by name, at this time}
	 */
	public List<LockedJob> all() {
		synchronized (this.jobs) {
			return this.jobs.values().stream().map(Listed::job).sorted(Comparator.comparing(LockedJob::id)).toList();
		}
	}

	/**
	 * Finds a job.
	 * @param id its name, or the key of its lock if it has one for each value of an
	 * expression
	 * @return the job, or empty if this application has none of that name
	 */
	public Optional<LockedJob> find(String id) {
		synchronized (this.jobs) {
			return Optional.ofNullable(this.jobs.get(id)).map(Listed::job);
		}
	}

	/**
	 * Calls a job's method outside of its schedule: on this node, on the job's scheduler,
	 * under a plain lock, also if the job is paused. The call belongs to no tick, changes
	 * no schedule, and is not run again if this node dies. Returns when the lock is
	 * granted; the method then runs on.
	 * @param job a job of this application
	 * @throws LockNotGrantedException if another client, or a run on this node, holds the
	 * lock
	 * @throws IllegalStateException if the scheduler rejects the call, has no thread for
	 * it within 20 s, the context is closed, or this thread is interrupted; the method is
	 * not called then
	 * @throws IllegalArgumentException if this application has no such job
	 * @throws LockException if DynamoDB does not answer
	 */
	public void runNow(LockedJob job) {
		Listed found;
		synchronized (this.jobs) {
			found = this.jobs.get(job.id());
		}
		if (found == null || !found.job().key().equals(job.key()) || found.job().client() != job.client()) {
			throw new IllegalArgumentException("This application has no " + job);
		}
		found.runNow().run();
	}

	/**
	 * Adds a job, or replaces the one of the same name.
	 * @param job the job
	 * @param runNow calls the job's method outside of its schedule
	 */
	public void add(LockedJob job, Runnable runNow) {
		synchronized (this.jobs) {
			boolean added = this.jobs.put(job.id(), new Listed(job, runNow)) == null;
			if (added && job.keyed()) {
				this.keyed.add(job.id());
				if (this.keyed.size() > MOST_LISTED) {
					this.jobs.remove(this.keyed.remove());
				}
			}
		}
	}

	private record Listed(LockedJob job, Runnable runNow) {
	}

}
