/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

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
 * @param busy the share of tasks for which the scheduler has no free thread at first
 * @param disturbances the mean time between two disturbances
 * @param administered whether people delete, edit, pause and change what they like
 * @param features what else the application has and does
 * @param first the application of the first nodes
 * @param second that of the others
 */
record JobScenario(int attempts, JobSchedule schedule, OnMissed onMissed, @Nullable Duration holdAtMost,
		Duration holdAtLeast, boolean calm, Duration clocks, double trouble, double busy, Duration disturbances,
		boolean administered, Set<Feature> features, SimulatedApplication first, SimulatedApplication second) {

	/** Their majority, if there are two applications. */
	static final int NODES_OF_THE_FIRST = 3;

	private static final SimulatedApplication BILLING = new SimulatedApplication("billing", "Invoices.send()");

	/** Any two clocks differ by just less than half the interval. */
	private static final Duration ALLOWED = Duration.ofMillis(SimulatedJobs.INTERVAL.toMillis() / 4 - 1);

	/** Just less than what the check of clocks allows; two may differ by an interval. */
	private static final Duration ACCEPTED = Duration.ofMillis(SimulatedJobs.INTERVAL.toMillis() / 2 - 501);

	private static final JobSchedule CRON = JobSchedule.cron("*/10 * * * * *", ZoneOffset.UTC);

	static JobScenario of(long seed, int attempts) {
		Random random = new Random(seed);
		random.nextInt();
		OnMissed onMissed = (random.nextInt(3) == 0) ? OnMissed.RUN_ONCE : OnMissed.SKIP;
		boolean changing = Math.floorMod(seed, 8L) == 2;
		JobSchedule schedule = switch (changing ? 0 : (int) Math.floorMod(seed, 5L)) {
			case 3 -> JobSchedule.fixedRate(SimulatedJobs.INTERVAL);
			case 4 -> JobSchedule.fixedDelay(SimulatedJobs.INTERVAL);
			default -> CRON;
		};
		Set<Feature> features = features(seed);
		if (seed % 4 == 0) {
			return new JobScenario(attempts, schedule,
					features.contains(Feature.STOPS) ? OnMissed.RUN_ONCE : OnMissed.SKIP, null, Duration.ofSeconds(2),
					true, Duration.ofMillis(20), 0, 0, Duration.ofSeconds(40), false, features, BILLING, BILLING);
		}
		return new JobScenario(attempts, schedule, onMissed, random.nextBoolean() ? Duration.ofSeconds(6) : null,
				random.nextBoolean() ? Duration.ofSeconds(4) : Duration.ZERO, false,
				(random.nextInt(3) == 0) ? ACCEPTED : ALLOWED, new double[] { 0, 0.01, 0.1 }[random.nextInt(3)],
				new double[] { 0, 0.1, 0.3 }[random.nextInt(3)], Duration.ofSeconds(5 + random.nextInt(30)),
				seed % 4 == 1, features, BILLING, features.contains(Feature.APPLICATIONS) ? other(random) : BILLING);
	}

	/** Any ten seeds in a row contain all features. */
	private static Set<Feature> features(long seed) {
		boolean further = Math.floorMod(seed, 16L) > 7;
		return switch ((int) Math.floorMod(seed, 8L)) {
			case 2 -> EnumSet.of(Feature.BEANS);
			case 4 -> EnumSet.of(further ? Feature.STOPS : Feature.BEANS);
			case 3 -> further ? EnumSet.of(Feature.APPLICATIONS, Feature.BEANS) : EnumSet.of(Feature.APPLICATIONS);
			case 6 -> EnumSet.of(Feature.BEANS, Feature.KEYS);
			case 7 -> further ? EnumSet.of(Feature.STOPS, Feature.BEANS) : EnumSet.of(Feature.STOPS);
			default -> EnumSet.noneOf(Feature.class);
		};
	}

	/** A second application, one whose method is being renamed, or a blue-green pair. */
	private static SimulatedApplication other(Random random) {
		return switch (random.nextInt(3)) {
			case 0 -> new SimulatedApplication("billing", "Invoices.sendAll()");
			case 1 -> new SimulatedApplication("billing-green", "Invoices.send()");
			default -> new SimulatedApplication("shop", "Orders.send()");
		};
	}

	boolean has(Feature feature) {
		return this.features.contains(feature);
	}

	SimulatedApplication application(int node) {
		return (node < NODES_OF_THE_FIRST) ? this.first : this.second;
	}

	/** The threads of each scheduler. */
	int threads() {
		return (has(Feature.BEANS) && !this.calm) ? 2 : 1;
	}

	/** The milliseconds by which a timer is early or late. */
	int timerError() {
		return this.calm ? 10 : 40;
	}

	/** What only some simulated applications have. */
	enum Feature {

		/** Beans are refreshed, come late, and are destroyed for a while. */
		BEANS,

		/** The value of the job's key changes. */
		KEYS,

		/** Two applications share a table and the job's key. */
		APPLICATIONS,

		/** Contexts are stopped and started, and await runs when they close. */
		STOPS

	}

}
