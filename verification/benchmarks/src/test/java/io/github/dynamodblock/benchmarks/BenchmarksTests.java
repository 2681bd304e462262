/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class BenchmarksTests {

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final ByteArrayOutputStream err = new ByteArrayOutputStream();

	@Test
	void aMissedNumberIsPrintedWithTheOthersAndFailsTheRun() throws Exception {
		Benchmark missed = (database) -> List.of(new Figure("one", "1", "2", false), new Figure("two", "2", "2", true));
		boolean met = run(missed);
		assertThat(printed()).contains("one: 1 (2) MISSED", "two: 2 (2) OK");
		assertThat(met).isFalse();
	}

	@Test
	void aBenchmarkThatFailsSaysWhyAndTheOthersStillRun() throws Exception {
		Benchmark failing = (database) -> {
			throw new IllegalStateException("no table");
		};
		Benchmark met = (database) -> List.of(new Figure("two", "2", "2", true));
		boolean allMet = run(failing, met);
		assertThat(this.err.toString(StandardCharsets.UTF_8)).contains("no table");
		assertThat(printed()).contains("two: 2 (2) OK");
		assertThat(allMet).isFalse();
	}

	@Test
	void locksThatFailAreCountedAndTheFiguresStillPrinted() throws Exception {
		try (DatabaseProcess database = DatabaseProcess.start()) {
			CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> {
				awaitLocks(database, 4);
				database.close();
			});
			List<Figure> figures = new HeldLocksBenchmark(4, Duration.ofSeconds(5)).measure(database);
			assertThat(figures).extracting(Figure::line)
				.anySatisfy(
						(line) -> assertThat(line).startsWith("failed acquires and releases of 4 locks: 4, the first: ")
							.endsWith("MISSED"))
				.anySatisfy((line) -> assertThat(line).startsWith("memory of 4 held locks: "));
			closed.join();
		}
	}

	private static void awaitLocks(DatabaseProcess database, int locks) {
		try (DynamoDbClient dynamoDb = database.newFastClient()) {
			await().ignoreException(ResourceNotFoundException.class)
				.until(() -> dynamoDb.scan((scan) -> scan.tableName(HeldLocksBenchmark.TABLE)).count() == locks);
		}
	}

	@Test
	void anUnknownNameIsRefusedWithTheKnownOnes() {
		int status = Benchmarks.run(List.of("cycle", "cylce"), print(this.out), print(this.err));
		assertThat(status).isEqualTo(2);
		assertThat(this.err.toString(StandardCharsets.UTF_8)).contains("'cylce'", "cycle, clients, semaphores");
		assertThat(this.out.size()).isZero();
	}

	/**
	 * Side by side, since they wait most of the time; their figures mean nothing here.
	 */
	@Test
	@Tag("benchmarks")
	void everyBenchmarkGivesItsNumbers(@TempDir Path docs) throws Exception {
		run(new TakeoverBenchmark(List.of(new TakeoverBenchmark.Rounds(Duration.ofSeconds(2), 1))));
		List<List<Benchmark>> benchmarks = List.of(
				List.of(new CycleBenchmark(8),
						new ClientsBenchmark(new CycleCosts(1, 1, 16), Duration.ofSeconds(1), 2, 1, docs)),
				List.of(new SemaphoreBenchmark(1, 2, Duration.ofSeconds(1), Duration.ofSeconds(2)),
						new BesideBenchmark(40, 1, 2)),
				List.of(new HeartbeatsBenchmark(20, 1, Duration.ofSeconds(6))),
				List.of(new HandOffBenchmark(List.of(1), 2)),
				List.of(new FairnessBenchmark(List.of(Duration.ZERO), Duration.ofSeconds(1))),
				List.of(new HeldLocksBenchmark(20, Duration.ofSeconds(3))),
				List.of(new LeaderElectionBenchmark(1, Duration.ofSeconds(3), Duration.ofSeconds(2))),
				List.of(new StartBenchmark(1, Path.of("application/target/class-path"))));
		Workers.run(benchmarks.size(), (number) -> run(benchmarks.get(number).toArray(Benchmark[]::new)));
		assertThat(printed()).contains("cycle calls: 2.00 (2) OK", "cycle preemptions: ", "cycle CPU, 16 threads: ",
				"cycle allocation, 1 thread: ", "cycles/s, 16 threads, +5 ms a call: ", "hand-off, one waiter: ",
				"cost of waiting, ", "takeover, lease 2 s: ", "longest wait of 16 threads, no hold: ",
				"lost of 20 held locks: 0 ", "threads for 20 held locks: ", "held() of 20 held locks: ",
				"memory of 20 held locks: ", "CPU of a heartbeat of 20 held locks: ", "allocation of a permit of 100: ",
				"calls of a cycle, 24 threads on 30 permits: 2.000", "calls of a waiter for 100 permits: ",
				"guarded write beside 40 waiters for other locks: ", "release beside 25 reads that hang: ",
				"calls of a leader besides: 0.00 in 2 s (at most 0) OK", "cost of a follower then: ",
				"writes of a follower then: ", "start, the application alone: ",
				"start, a DynamoDbClient and its first call: ", "start, the starter: ",
				"start with AppCDS, the starter: ");
		assertThat(this.err.toString(StandardCharsets.UTF_8)).isEmpty();
		assertThat(docs.resolve("benchmarks.md")).content(StandardCharsets.UTF_8)
			.contains("| dynamodb-lock | no |")
			.doesNotContain("{{", "not measured");
		assertThat(docs.resolve("images/benchmarks-cycle.svg")).isNotEmptyFile();
	}

	private boolean run(Benchmark... benchmarks) throws InterruptedException {
		Map<String, Benchmark> named = new LinkedHashMap<>();
		for (Benchmark each : benchmarks) {
			named.put("number " + named.size(), each);
		}
		return Benchmarks.measure(named, SharedDatabase.INSTANCE, print(this.out), print(this.err));
	}

	private String printed() {
		return this.out.toString(StandardCharsets.UTF_8);
	}

	private static PrintStream print(ByteArrayOutputStream bytes) {
		return new PrintStream(bytes, true, StandardCharsets.UTF_8);
	}

}
