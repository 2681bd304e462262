/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

/**
 * Reports what happens to a scheduled job. Published on the thread of the job, in order:
 * a listener that takes long delays the run, unless it is asynchronous. What it throws is
 * logged.
 *
 * <pre class="code">
 * &#64;EventListener
 * void failed(JobFinishedEvent event) {
 *     event.failure().ifPresent((failure) -&gt; alert(event.job().name(), failure));
 * }
 * </pre>
 */
public sealed interface JobEvent permits JobStartedEvent, JobFinishedEvent, JobCrashedEvent, JobMissedEvent {

	/**
	 * {@return the job}
	 */
	LockedJob job();

}
