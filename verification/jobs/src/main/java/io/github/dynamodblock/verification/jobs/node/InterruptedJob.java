/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs.node;

import java.time.Duration;

import io.github.dynamodblock.spring.ScheduledLock;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * A job that takes longer than its node waits at shutdown, unless it was started before.
 */
public class InterruptedJob {

	/** The name of the job. */
	public static final String NAME = "interrupted";

	/** Leaves time for a rerun before the next tick. */
	public static final String CRON = "0/10 * * * * *";

	private static final Duration LONG = Duration.ofSeconds(6);

	private static final Duration SHORT = Duration.ofMillis(200);

	private final Body body;

	InterruptedJob(Body body) {
		this.body = body;
	}

	/**
	 * Runs the job.
	 * @throws InterruptedException if the node does not wait for its end
	 */
	@Scheduled(cron = CRON, zone = "UTC")
	@ScheduledLock(NAME)
	public void run() throws InterruptedException {
		this.body.run(NAME, 0, Body.isRerun() ? SHORT : LONG);
	}

}
