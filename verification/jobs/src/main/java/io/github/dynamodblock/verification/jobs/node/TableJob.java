/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs.node;

import java.time.Duration;

import io.github.dynamodblock.spring.ScheduledLock;

/**
 * A job without {@code @Scheduled}, which {@link TableSchedule} calls.
 */
public class TableJob {

	/** The name of the job. */
	public static final String NAME = "table";

	/** The first cron expression: short runs. */
	public static final String SHORT_CRON = "0/3 * * * * *";

	/**
	 * The second one: long runs, no tick in common with the first, and time for a rerun.
	 */
	public static final String LONG_CRON = "1/12 * * * * *";

	/** The time between two ticks of the first one. */
	public static final Duration SHORT_INTERVAL = Duration.ofSeconds(3);

	private static final Duration LONG = Duration.ofSeconds(3);

	private static final Duration SHORT = Duration.ofMillis(200);

	private final Body body;

	TableJob(Body body) {
		this.body = body;
	}

	/** Runs the job. */
	@ScheduledLock(NAME)
	public void run() {
		boolean isLong = this.body.tick().toEpochMilli() % SHORT_INTERVAL.toMillis() != 0 && !Body.isRerun();
		try {
			this.body.run(NAME, 0, isLong ? LONG : SHORT);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
