/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;

/**
 * A bean that has a job, whose method it calls. Equal only to itself. Thread-safe.
 */
public interface JobExecutor {

	/**
	 * Runs a task on the job's scheduler later.
	 * @param delay the time until then
	 * @param task the task
	 * @return an action that cancels the task, unless it has started
	 */
	Runnable later(Duration delay, Runnable task);

	/**
	 * Claims the job's lock and, if it is granted, calls the method in this thread.
	 * @param call the call, which starts a run
	 */
	void call(JobCall call);

	/**
	 * Calls the method in this thread, as Spring's scheduler does.
	 * @param ended run when the method has returned, or its publisher has ended
	 */
	void fire(Runnable ended);

	/**
	 * Calls the method outside its schedule, as {@link LockedJobs#runNow} describes.
	 * @param job the job
	 */
	void runNow(LockedJob job);

}
