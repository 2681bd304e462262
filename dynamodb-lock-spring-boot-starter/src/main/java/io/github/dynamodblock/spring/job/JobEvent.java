/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

/**
 * Reports what happens to a scheduled job. Events are published in order on the job's
 * thread, so a slow synchronous listener delays the run. Exceptions of listeners are
 * logged.
 *
 * <pre class="code"> &#64;EventListener void failed(JobFinishedEvent event) {
 * event.failure().ifPresent((failure) -&gt; alert(event.job().name(), failure)); } </pre>
 */
public sealed interface JobEvent permits JobStartedEvent, JobFinishedEvent, JobCrashedEvent, JobMissedEvent {

	/**
	 * {@return the job}
	 */
	LockedJob job();

}
