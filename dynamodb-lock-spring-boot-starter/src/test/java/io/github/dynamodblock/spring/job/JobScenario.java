/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Random;

import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;

/**
 * What one simulated run of jobs is like.
 *
 * @param attempts how often a tick is run at most
 * @param schedule when the job is due
 * @param onMissed what happens to missed ticks
 * @param holdAtMost the limit of a run, or {@code null}
 * @param holdAtLeast for how long the application's own calls hold the lock at least
 * @param calm whether one thing goes wrong at a time, after which the job has to go on
 * soon
 * @param clocks by how much each clock may be wrong
 * @param trouble the share of calls with which something goes wrong
 * @param busy the share of tasks that the scheduler's thread has no time for at first
 * @param disturbances the mean time between two disturbances
 * @param administered whether people delete, edit, pause and change what they like
 */
record JobScenario(int attempts, JobSchedule schedule, OnMissed onMissed, @Nullable Duration holdAtMost,
		Duration holdAtLeast, boolean calm, Duration clocks, double trouble, double busy, Duration disturbances,
		boolean administered) {

	/** Any two clocks differ by just less than half the interval. */
	private static final Duration ALLOWED = Duration.ofMillis(SimulatedJobs.INTERVAL.toMillis() / 4 - 1);

	/** Just less than what the check of clocks allows; two may differ by an interval. */
	private static final Duration ACCEPTED = Duration.ofMillis(SimulatedJobs.INTERVAL.toMillis() / 2 - 501);

	private static final JobSchedule CRON = JobSchedule.cron("*/10 * * * * *", ZoneOffset.UTC);

	static JobScenario of(long seed, int attempts) {
		Random random = new Random(seed);
		random.nextInt();
		OnMissed onMissed = (random.nextInt(3) == 0) ? OnMissed.RUN_ONCE : OnMissed.SKIP;
		JobSchedule schedule = switch ((int) Math.floorMod(seed, 5L)) {
			case 3 -> JobSchedule.fixedRate(SimulatedJobs.INTERVAL);
			case 4 -> JobSchedule.fixedDelay(SimulatedJobs.INTERVAL);
			default -> CRON;
		};
		if (seed % 4 == 0) {
			return new JobScenario(attempts, schedule, OnMissed.SKIP, null, Duration.ofSeconds(2), true,
					Duration.ofMillis(20), 0, 0, Duration.ofSeconds(40), false);
		}
		return new JobScenario(attempts, schedule, onMissed, random.nextBoolean() ? Duration.ofSeconds(6) : null,
				random.nextBoolean() ? Duration.ofSeconds(4) : Duration.ZERO, false,
				(random.nextInt(3) == 0) ? ACCEPTED : ALLOWED, new double[] { 0, 0.01, 0.1 }[random.nextInt(3)],
				new double[] { 0, 0.1, 0.3 }[random.nextInt(3)], Duration.ofSeconds(5 + random.nextInt(30)),
				seed % 4 == 1);
	}

	/** The milliseconds by which a timer is early or late. */
	int timerError() {
		return this.calm ? 10 : 40;
	}

}
