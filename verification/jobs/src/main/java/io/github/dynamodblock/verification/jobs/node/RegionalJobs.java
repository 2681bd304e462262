/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs.node;

import java.time.Duration;

import io.github.dynamodblock.spring.ScheduledLock;

import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * One job for each of two regions, which differ by the key of the lock.
 */
public class RegionalJobs {

	/** The name of the jobs. */
	public static final String NAME = "regional";

	/** Leaves time for a rerun, two leases after the kill, before the next tick. */
	public static final String CRON = "0/12 * * * * *";

	private static final Duration LONG = Duration.ofSeconds(5);

	private static final Duration SHORT = Duration.ofMillis(200);

	@Bean
	RegionalJob north(Body body) {
		return new RegionalJob("north", body);
	}

	@Bean
	RegionalJob south(Body body) {
		return new RegionalJob("south", body);
	}

	/** The job of one region. */
	public static class RegionalJob {

		private final String region;

		private final Body body;

		RegionalJob(String region, Body body) {
			this.region = region;
			this.body = body;
		}

		/** Returns the region. */
		public String region() {
			return this.region;
		}

		/**
		 * Runs the job.
		 * @throws InterruptedException if the node stops meanwhile
		 */
		@Scheduled(cron = CRON, zone = "UTC")
		@ScheduledLock(name = NAME, key = "#root.target.region()", attempts = 3)
		public void run() throws InterruptedException {
			this.body.run(NAME + ":" + this.region, 0, Body.isRerun() ? SHORT : LONG);
		}

	}

}
