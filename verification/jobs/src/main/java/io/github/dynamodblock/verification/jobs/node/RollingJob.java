/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs.node;

import java.time.Duration;

import io.github.dynamodblock.spring.ScheduledLock;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * A job some of whose runs take longer than its interval.
 */
public class RollingJob {

	/** The name of the job. */
	public static final String NAME = "rolling";

	/** Every two seconds. */
	public static final String CRON = "0/2 * * * * *";

	/** How long a short run takes. */
	private static final Duration SHORT = Duration.ofMillis(200);

	/** Longer than the interval. */
	private static final Duration LONG = Duration.ofSeconds(3);

	private static final long INTERVAL_OF_LONG_RUNS = 6_000;

	private final Body body;

	RollingJob(Body body) {
		this.body = body;
	}

	/**
	 * Returns whether the run of a tick is a long one.
	 * @param tick the time of the tick, in milliseconds
	 */
	public static boolean isLong(long tick) {
		return tick % INTERVAL_OF_LONG_RUNS == 0;
	}

	/**
	 * Runs the job.
	 * @throws InterruptedException if the node does not wait for its end
	 */
	@Scheduled(cron = CRON, zone = "UTC")
	@ScheduledLock(NAME)
	public void run() throws InterruptedException {
		this.body.run(NAME, 0, isLong(this.body.tick().toEpochMilli()) ? LONG : SHORT);
	}

}
