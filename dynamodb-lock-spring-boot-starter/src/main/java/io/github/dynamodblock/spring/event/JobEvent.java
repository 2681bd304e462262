/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import io.github.dynamodblock.spring.job.LockedJob;

/**
 * Reports what happens to a scheduled job. Published on a separate thread, after it
 * happened and in order.
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
