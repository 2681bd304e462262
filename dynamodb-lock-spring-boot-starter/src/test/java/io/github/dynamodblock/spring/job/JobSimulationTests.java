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

import io.github.dynamodblock.spring.OnCrash;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Five nodes with one job in virtual time. {@code -Djobs.ticks=100000} simulates as many
 * ticks in each mode, and {@code -Djobs.firstSeed} begins with another seed than 1.
 */
class JobSimulationTests {

	private static final int TICKS = Integer.getInteger("jobs.ticks", 2_000);

	private static final long FIRST_SEED = firstSeed(System.getProperty("jobs.firstSeed", "1"));

	/** So many runs contain everything that can go wrong. */
	private static final int ENOUGH_FOR_ALL = 10;

	private static long firstSeed(String property) {
		return property.equals("fresh") ? System.currentTimeMillis() : Long.parseLong(property);
	}

	@ParameterizedTest
	@EnumSource(OnCrash.class)
	void noTickIsStartedTwiceAndNoneIsLost(OnCrash onCrash) {
		long begin = System.nanoTime();
		Map<String, Integer> counts = new TreeMap<>();
		List<String> violations = new ArrayList<>();
		int seeds = TICKS / JobSimulation.TICKS;
		for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
			JobChecks checks = JobSimulation.run(seed, onCrash);
			checks.counts().forEach((what, count) -> counts.merge(what, count, Integer::sum));
			String prefix = "seed " + seed + ": ";
			checks.violations().forEach((violation) -> violations.add(prefix + violation));
		}
		System.out.printf("simulated %d ticks in %d runs with %s in %d s, %d violations, first seed %d: %s%n",
				seeds * JobSimulation.TICKS, seeds, onCrash, Duration.ofNanos(System.nanoTime() - begin).toSeconds(),
				violations.size(), FIRST_SEED, counts);
		assertThat(violations).isEmpty();
		if (seeds < ENOUGH_FOR_ALL) {
			return;
		}
		assertThat(counts).containsKeys("runs", "manual runs", "missed", "crashed", "outages", "crashes", "shutdowns",
				"pauses", "clock steps", "deleted items", "rolling changes of the schedule",
				"ledgers of a newer version");
		assertThat(counts.get("runs")).isGreaterThan(TICKS / 2);
	}

}
