/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;
import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.ReactiveLockContext;

/**
 * What the body of a job knows of its run. Immutable.
 *
 * <pre class="code">
 * &#64;Scheduled(cron = "0 0 2 * * *")
 * &#64;ScheduledLock(name = "nightly-report")
 * void nightlyReport() {
 *     JobContext.current().ifPresent((run) -&gt; report(run.scheduledTime()));
 * }
 * </pre>
 *
 * @param scheduledTime the tick: the nominal fire time of a cron expression, or when the
 * first attempt was claimed at a rate or with a delay
 * @param attempt the attempt, from 1
 * @param rerun whether the body has begun for this time before, on a node that crashed or
 * was shut down
 */
public record JobContext(Instant scheduledTime, int attempt, boolean rerun) {

	/**
	 * Returns the run that the current thread carries out, where {@link LockContext}
	 * shows its lock.
	 * @return the run; empty if the method was called outside of its schedule
	 */
	public static Optional<JobContext> current() {
		return LockContext.current().flatMap(JobContext::of);
	}

	/**
	 * Returns the run for which a lock was claimed, such as one of
	 * {@link ReactiveLockContext}.
	 * @param lock the lock
	 * @return the run, or empty if the lock was claimed for none
	 */
	public static Optional<JobContext> of(HeldLock lock) {
		JobRecord record = JobRecord.of(lock.record());
		return record.tick()
			.filter((tick) -> record.isOfRun())
			.map((tick) -> new JobContext(tick, record.attempt(), record.isRerun()));
	}

}
