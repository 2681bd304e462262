/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.JobRun;
import io.github.dynamodblock.spring.job.LockedJob;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes what happens to scheduled jobs as application events, on the thread of the
 * job: a listener that takes long delays the run, unless it is asynchronous. Thread-safe.
 */
public class JobEventPublisher implements JobListener {

	private final ApplicationEventPublisher publisher;

	/**
	 * Publishes events.
	 * @param publisher where the events go
	 */
	public JobEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void onStarted(JobRun run) {
		this.publisher.publishEvent(new JobStartedEvent(run));
	}

	@Override
	public void onFinished(JobRun run, Duration duration, JobOutcome outcome, @Nullable Throwable failure) {
		this.publisher.publishEvent(new JobFinishedEvent(run, duration, outcome, Optional.ofNullable(failure)));
	}

	@Override
	public void onCrashed(LockedJob job, Instant tick, boolean rerun) {
		this.publisher.publishEvent(new JobCrashedEvent(job, tick, rerun));
	}

	@Override
	public void onMissed(LockedJob job, List<Instant> ticks, boolean runOnce) {
		this.publisher.publishEvent(new JobMissedEvent(job, ticks, runOnce));
	}

}
