/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BenchmarksTests {

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final ByteArrayOutputStream err = new ByteArrayOutputStream();

	@Test
	void aMissedNumberIsPrintedWithTheOthersAndFailsTheRun() {
		Benchmark missed = (database) -> List.of(new Figure("one", "1", "2", false), new Figure("two", "2", "2", true));
		int status = run(missed);
		assertThat(this.out.toString(StandardCharsets.UTF_8)).contains("one: 1 (2) MISSED", "two: 2 (2) OK");
		assertThat(status).isEqualTo(1);
	}

	@Test
	void aBenchmarkThatFailsSaysWhyAndTheOthersStillRun() {
		Benchmark failing = (database) -> {
			throw new IllegalStateException("no table");
		};
		Benchmark met = (database) -> List.of(new Figure("two", "2", "2", true));
		int status = run(failing, met);
		assertThat(this.err.toString(StandardCharsets.UTF_8)).contains("no table");
		assertThat(this.out.toString(StandardCharsets.UTF_8)).contains("two: 2 (2) OK");
		assertThat(status).isEqualTo(1);
	}

	@Test
	void anUnknownNameIsRefusedWithTheKnownOnes() {
		int status = Benchmarks.run(List.of("cycle", "cylce"), print(this.out), print(this.err));
		assertThat(status).isEqualTo(2);
		assertThat(this.err.toString(StandardCharsets.UTF_8)).contains("'cylce'", "cycle, cost, handoff");
		assertThat(this.out.size()).isZero();
	}

	@Test
	void countsWhatALockCostsAgainstARealServer() {
		int status = run(new CycleBenchmark(8));
		assertThat(this.out.toString(StandardCharsets.UTF_8)).contains("cycle calls: 2.00 (2) OK");
		assertThat(status).isIn(0, 1);
	}

	@Test
	void everyBenchmarkGivesItsNumbers() {
		run(new HandOffBenchmark(List.of(1), 2),
				new TakeoverBenchmark(List.of(new TakeoverBenchmark.Rounds(Duration.ofSeconds(2), 1))),
				new FairnessBenchmark(List.of(Duration.ZERO), Duration.ofSeconds(2)), new CostBenchmark(2, 32),
				new HeldLocksBenchmark(20, Duration.ofSeconds(3)),
				new LeaderElectionBenchmark(1, Duration.ofSeconds(3), Duration.ofSeconds(2)));
		assertThat(this.out.toString(StandardCharsets.UTF_8)).contains("hand-off, one waiter: ", "cost of waiting, ",
				"takeover, lease 2 s: ", "cycle CPU, 16 threads: ", "cycle allocation, 1 thread: ",
				"longest wait of 16 threads, no hold: ", "lost of 20 held locks: 0 ", "threads for 20 held locks: ",
				"calls of a leader besides: 0.00 in 2 s (at most 0) OK", "cost of a follower then: ",
				"writes of a follower then: 0.00 in 2 s (at most 0) OK");
		assertThat(this.err.toString(StandardCharsets.UTF_8)).isEmpty();
	}

	private int run(Benchmark... benchmarks) {
		Map<String, Benchmark> named = new LinkedHashMap<>();
		for (Benchmark each : benchmarks) {
			named.put("number " + named.size(), each);
		}
		return Benchmarks.measure(named, print(this.out), print(this.err));
	}

	private static PrintStream print(ByteArrayOutputStream bytes) {
		return new PrintStream(bytes, true, StandardCharsets.UTF_8);
	}

}
