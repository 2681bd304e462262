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
 * Describes the run to which a job's body belongs. Immutable.
 *
 * <pre class="code">
 * &#64;Scheduled(cron = "0 0 2 * * *")
 * &#64;ScheduledLock(name = "nightly-report")
 * void nightlyReport() {
 *     JobContext.current().ifPresent((run) -&gt; report(run.scheduledTime()));
 * }
 * </pre>
 *
 * @param scheduledTime the tick: the nominal fire time of a cron expression, or with a
 * fixed rate or delay, when the first attempt was claimed
 * @param attempt the attempt, from 1
 * @param rerun whether the body has started for this tick before, on a node that crashed
 * or was shut down
 */
public record JobContext(Instant scheduledTime, int attempt, boolean rerun) {

	/**
	 * Returns the run of the current thread, by the locks in its {@link LockContext}. It
	 * belongs to the innermost lock whose item records runs of a job. Code that holds
	 * further locks inside the run therefore finds it, too.
	 * @return the run; empty if the method was called outside its schedule
	 */
	public static Optional<JobContext> current() {
		return LockContext.capture()
			.all()
			.stream()
			.filter((lock) -> JobRecord.of(lock.record()).tick().isPresent())
			.findFirst()
			.flatMap(JobContext::of);
	}

	/**
	 * Returns the run for which a lock was claimed, such as a lock from
	 * {@link ReactiveLockContext}.
	 * @param lock the lock
	 * @return the run, or empty if the lock was not claimed for a run
	 */
	public static Optional<JobContext> of(HeldLock lock) {
		JobRecord record = JobRecord.of(lock.record());
		return record.tick()
			.filter((tick) -> record.isOfRun())
			.map((tick) -> new JobContext(tick, record.attempt(), record.isRerun()));
	}

}
