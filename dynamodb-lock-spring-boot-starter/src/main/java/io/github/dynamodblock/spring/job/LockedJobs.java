/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;

/**
 * Lists the jobs of this application, and runs them outside their schedule. A job with a
 * key expression is listed for each value, from the first run with it. The last 1,000
 * values are listed. Thread-safe.
 */
public class LockedJobs {

	private static final int MOST_LISTED = 1_000;

	private final Map<String, Listed> jobs = new ConcurrentHashMap<>();

	/** Jobs with a key expression, in the order in which they were listed. */
	private final Deque<String> keyed = new ArrayDeque<>();

	/**
	 * {@return the jobs that are listed now, ordered by name}
	 */
	public List<LockedJob> all() {
		return this.jobs.values().stream().map(Listed::job).sorted(Comparator.comparing(LockedJob::id)).toList();
	}

	/**
	 * Finds a job.
	 * @param id its name, or the key of its lock if it has one for each value of a key
	 * expression
	 * @return the job, or empty if this application has no such job
	 */
	public Optional<LockedJob> find(String id) {
		return Optional.ofNullable(this.jobs.get(id)).map(Listed::job);
	}

	/**
	 * Calls a job's method outside its schedule, on this node and the job's scheduler,
	 * under a plain lock, even if the job is paused. The call belongs to no tick, does
	 * not change the schedule, and is not rerun if this node dies. Returns when the lock
	 * is granted, while the method runs.
	 * @param job a job of this application
	 * @throws LockNotGrantedException if another client, or a run on this node, holds the
	 * lock
	 * @throws IllegalStateException if the scheduler rejects the call, the lock is
	 * neither granted nor refused within 20 s, the context is closed, or this thread is
	 * interrupted; the method is then not called
	 * @throws IllegalArgumentException if this application has no such job
	 * @throws LockException if DynamoDB does not answer
	 */
	public void runNow(LockedJob job) {
		Listed found = this.jobs.get(job.id());
		if (found == null || !found.job().key().equals(job.key()) || found.job().client() != job.client()) {
			throw new IllegalArgumentException("This application has no " + job);
		}
		found.runNow().run();
	}

	/**
	 * Adds a job, or replaces the one with the same id.
	 * @param job the job
	 * @param runNow calls the job's method outside its schedule
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
