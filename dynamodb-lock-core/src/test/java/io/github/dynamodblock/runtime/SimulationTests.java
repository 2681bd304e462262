/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import io.github.dynamodblock.runtime.Simulator.Report;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of runs of several clients in virtual time, in which everything goes wrong
 * that can. These properties say which and how many: {@code simulation.firstSeed}, a
 * number or {@code fresh} for seeds that were not run before, {@code simulation.seeds}
 * and {@code simulation.seconds}, the time after which no more are begun. With
 * {@code simulation.acrossRegions}, each of them has a table across regions.
 */
@Order(1)
class SimulationTests {

	/** Far beyond the seeds that people choose, and short enough to be read. */
	private static final long FRESH_SEEDS = 1_000_000_000L;

	/** So many runs contain everything that can go wrong. */
	private static final int ENOUGH_FOR_ALL = 2000;

	@Test
	void noRunBreaksWhatIsPromised() throws InterruptedException {
		long firstSeed = firstSeed(System.getProperty("simulation.firstSeed", "1"));
		// Before they run, so that a campaign which is cut short can be repeated.
		System.out.println("first seed " + firstSeed);
		Report report = new Simulator(firstSeed, Long.getLong("simulation.seeds", 2000),
				Duration.ofSeconds(Long.getLong("simulation.seconds", 3600)))
			.run();
		report.counts().forEach((what, count) -> System.out.println(count + " " + what));
		System.out.println(report);
		assertThat(report.violated()).as(() -> stories(report)).isEmpty();
		if (report.seeds() >= ENOUGH_FOR_ALL) {
			seesWhatItIsFor(report);
		}
	}

	private static void seesWhatItIsFor(Report report) {
		assertThat(List.of("EXPIRED", "STOLEN", "ITEM_MISSING", "TABLE_MISSING", "RELEASED_BY_ADMINISTRATOR", "CLOSED",
				"lagging reads", "write conflicts", "regions cut off"))
			.allSatisfy((what) -> assertThat(inThreeHundredRuns(report, what)).as(what).isPositive());
		Map.of("grants", 2000, "handed on", 500, "permits", 300, "takeovers", 300, "ticks", 500, "conditions not met",
				50)
			.forEach((what, bound) -> assertThat(inThreeHundredRuns(report, what)).as(what).isGreaterThan(bound));
		// A global table has no transactions.
		if (!Boolean.getBoolean(Simulation.ACROSS_REGIONS)) {
			Map.of("guarded writes", 1000, "refused guarded writes", 300)
				.forEach((what, bound) -> assertThat(inThreeHundredRuns(report, what)).as(what).isGreaterThan(bound));
		}
	}

	private static long inThreeHundredRuns(Report report, String what) {
		return report.counts().getOrDefault(what, 0L) * 300 / report.seeds();
	}

	private static long firstSeed(String property) {
		return property.equals("fresh") ? ThreadLocalRandom.current().nextLong(FRESH_SEEDS, 1000 * FRESH_SEEDS)
				: Long.parseLong(property);
	}

	/** The first of them in full; the others by their seeds. */
	private static String stories(Report report) {
		List<Long> seeds = report.violated().stream().map(Simulation.Outcome::seed).toList();
		StringBuilder first = new StringBuilder();
		Simulator.quietly(() -> first.append(Simulation.record(seeds.get(0)).description()));
		return "Seeds " + seeds + " break what is promised. The first of them, by Simulation.record(" + seeds.get(0)
				+ "L):\n" + first + "\n";
	}

	@Test
	void aSeedGivesTheSameRunEachTime() {
		Simulator.quietly(() -> {
			for (long seed = 1; seed <= 50; seed++) {
				List<String> history = Simulation.record(seed).history();
				assertThat(history).hasSizeGreaterThan(50);
				assertThat(Simulation.record(seed).history()).isEqualTo(history);
			}
		});
	}

	@Test
	void freshSeedsAreOthersEachTime() {
		assertThat(firstSeed("fresh")).isNotEqualTo(firstSeed("fresh")).isGreaterThan(FRESH_SEEDS - 1);
		assertThat(firstSeed("42")).isEqualTo(42);
	}

}
