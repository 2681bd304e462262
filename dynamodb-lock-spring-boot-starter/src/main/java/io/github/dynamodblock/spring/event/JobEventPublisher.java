/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.JobRun;
import io.github.dynamodblock.spring.job.LockedJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes what happens to scheduled jobs as application events, on a separate thread: a
 * listener that blocks delays no run. Thread-safe.
 */
public class JobEventPublisher implements JobListener, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(JobEventPublisher.class);

	private static final int CAPACITY = 1_000;

	private static final long IDLE_SECONDS = 5;

	private final ApplicationEventPublisher publisher;

	private final ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(CAPACITY), JobEventPublisher::thread, (event, executor) -> dropped(executor));

	/**
	 * Publishes events.
	 * @param publisher where the events go
	 */
	public JobEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
		this.thread.allowCoreThreadTimeOut(true);
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "dynamodb-lock-job-events");
		thread.setDaemon(true);
		return thread;
	}

	private static void dropped(ThreadPoolExecutor executor) {
		if (!executor.isShutdown()) {
			logger.warn("An event about a job was dropped, because {} wait: listeners are too slow", CAPACITY);
		}
	}

	@Override
	public void onStarted(JobRun run) {
		publish(new JobStartedEvent(run));
	}

	@Override
	public void onFinished(JobRun run, Duration duration, JobOutcome outcome, @Nullable Throwable failure) {
		publish(new JobFinishedEvent(run, duration, outcome, Optional.ofNullable(failure)));
	}

	@Override
	public void onCrashed(LockedJob job, Instant tick, boolean rerun) {
		publish(new JobCrashedEvent(job, tick, rerun));
	}

	@Override
	public void onMissed(LockedJob job, List<Instant> ticks, boolean runOnce) {
		publish(new JobMissedEvent(job, ticks, runOnce));
	}

	private void publish(JobEvent event) {
		this.thread.execute(() -> {
			try {
				this.publisher.publishEvent(event);
			}
			catch (RuntimeException | Error ex) {
				// An error, too, as of a missing class: events that wait are published.
				logger.error("A listener of {} failed for {}", event.getClass().getSimpleName(), event.job(), ex);
			}
		});
	}

	/** Drops what was not published yet, and waits for no listener. */
	@Override
	public void close() {
		this.thread.shutdownNow();
	}

}
