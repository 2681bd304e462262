/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.Random;

import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;

/**
 * What one simulated run of jobs is like.
 *
 * @param onCrash what happens to a run whose node has crashed
 * @param onMissed what happens to missed ticks
 * @param calm whether nodes are killed or shut down in the middle of a run, one at a
 * time, and nothing else goes wrong
 * @param clocks by how much each clock may be wrong
 * @param trouble the share of calls with which something goes wrong
 * @param busy the share of tasks that the scheduler's thread has no time for at first
 * @param disturbances the mean time between two disturbances
 * @param administered whether people delete, edit, pause and change what they like
 */
record JobScenario(OnCrash onCrash, OnMissed onMissed, boolean calm, Duration clocks, double trouble, double busy,
		Duration disturbances, boolean administered) {

	/** Any two clocks differ by just less than half the interval. */
	private static final Duration ALLOWED = Duration.ofMillis(SimulatedJobs.INTERVAL.toMillis() / 4 - 1);

	/** Just less than what the check of clocks allows; two may differ by an interval. */
	private static final Duration ACCEPTED = Duration.ofMillis(SimulatedJobs.INTERVAL.toMillis() / 2 - 501);

	static JobScenario of(long seed, OnCrash onCrash) {
		Random random = new Random(seed);
		random.nextInt();
		OnMissed onMissed = (random.nextInt(3) == 0) ? OnMissed.RUN_ONCE : OnMissed.SKIP;
		if (seed % 4 == 0) {
			return new JobScenario(onCrash, OnMissed.SKIP, true, Duration.ofMillis(20), 0, 0, Duration.ofSeconds(30),
					false);
		}
		return new JobScenario(onCrash, onMissed, false, (random.nextInt(3) == 0) ? ACCEPTED : ALLOWED,
				new double[] { 0, 0.01, 0.05 }[random.nextInt(3)], new double[] { 0, 0.1, 0.3 }[random.nextInt(3)],
				Duration.ofSeconds(5 + random.nextInt(30)), seed % 4 == 1);
	}

	/** The milliseconds by which a timer is early or late. */
	int timerError() {
		return this.calm ? 10 : 40;
	}

}
