/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Five nodes with one job in virtual time. {@code -Djobs.ticks=100000} simulates as many
 * ticks in each mode, and {@code -Djobs.firstSeed} begins with another seed than 1.
 */
@Order(1)
class JobSimulationTests {

	private static final int TICKS = Integer.getInteger("jobs.ticks", 2_000);

	private static final long FIRST_SEED = firstSeed(System.getProperty("jobs.firstSeed", "1"));

	/** So many runs contain everything that can go wrong. */
	private static final int ENOUGH_FOR_ALL = 10;

	private static long firstSeed(String property) {
		return property.equals("fresh") ? System.currentTimeMillis() : Long.parseLong(property);
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 1 })
	void noTickIsStartedTwiceAndNoneIsLost(int attempts) {
		long begin = System.nanoTime();
		Map<String, Integer> counts = new TreeMap<>();
		List<String> violations = new ArrayList<>();
		int seeds = TICKS / JobSimulation.TICKS;
		for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
			JobFindings found = JobSimulation.run(seed, attempts);
			found.counts().forEach((what, count) -> counts.merge(what, count, Integer::sum));
			String prefix = "seed " + seed + ": ";
			found.violations().forEach((violation) -> violations.add(prefix + violation));
		}
		System.out.printf(
				"simulated %d ticks in %d runs with attempts = %d in %d s, %d violations, first seed %d: %s%n",
				seeds * JobSimulation.TICKS, seeds, attempts, Duration.ofNanos(System.nanoTime() - begin).toSeconds(),
				violations.size(), FIRST_SEED, counts);
		assertThat(violations).isEmpty();
		if (seeds < ENOUGH_FOR_ALL) {
			return;
		}
		assertThat(counts).containsKeys("runs", "plain calls", "missed", "crashed", "outages", "crashes", "shutdowns",
				"pauses", "pauses of a process", "nodes cut off", "clock steps", "clocks that are days off",
				"records of a wrong clock", "deleted items", "edited records", "rolling changes of the schedule",
				"runs over their limit", "plain holders that died before a tick", "holders beside the job");
		assertThat(counts).as("beans")
			.containsKeys("refreshed beans", "refreshed beans with another schedule", "late beans",
					"beans that were destroyed for a while", "times without any bean", "two beans of a job");
		assertThat(counts).as("keys").containsKeys("keys that changed", "beans whose key had changed");
		assertThat(counts).as("applications")
			.containsKeys("claims after one of another application", "crashes with two applications");
		assertThat(counts).as("contexts that stop")
			.containsKeys("times in which all nodes are stopped", "nodes that were started again",
					"ticks of a stopped node", "shutdowns that await runs", "pauses during a plain hold");
		assertThat(counts.get("runs")).isGreaterThan(TICKS / 2);
	}

}
