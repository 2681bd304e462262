/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures what the lock client is held to, and prints a line for each number.
 */
public final class Benchmarks {

	private static final int STATUS_MISSED = 1;

	private static final int STATUS_USAGE = 2;

	private static final Map<String, Benchmark> ALL = all();

	private Benchmarks() {
	}

	/**
	 * Runs benchmarks and ends this process: with status 0 if all numbers are within
	 * their bounds, with 1 if one is not or could not be measured, with 2 if a name is
	 * unknown.
	 * @param names which benchmarks to run; none means all
	 */
	public static void main(String[] names) {
		System.exit(run(List.of(names), System.out, System.err));
	}

	private static Map<String, Benchmark> all() {
		Map<String, Benchmark> all = new LinkedHashMap<>();
		all.put("cycle", new CycleBenchmark(1_200));
		// All clients share the SDK's code, but each warms up its own alone: after 15
		// rounds, the lock client was still being compiled while it was measured.
		all.put("clients", new ClientsBenchmark(new CycleCosts(60, 9, 600), Duration.ofSeconds(10), 30, 8,
				Path.of(System.getProperty("benchmarks.docs", "../../docs"))));
		all.put("semaphores", new SemaphoreBenchmark(9, 200, Duration.ofSeconds(10), Duration.ofSeconds(20)));
		all.put("beside", new BesideBenchmark(400, 5, 20));
		all.put("handoff", new HandOffBenchmark(List.of(1, 3), 60));
		all.put("takeover", new TakeoverBenchmark(List.of(new TakeoverBenchmark.Rounds(Duration.ofSeconds(20), 3),
				new TakeoverBenchmark.Rounds(Duration.ofSeconds(4), 15))));
		all.put("fairness",
				new FairnessBenchmark(List.of(Duration.ZERO, Duration.ofMillis(20)), Duration.ofSeconds(20)));
		all.put("locks", new HeldLocksBenchmark(20_000, Duration.ofSeconds(60)));
		all.put("heartbeats", new HeartbeatsBenchmark(5_000, 2, Duration.ofSeconds(8)));
		all.put("election", new LeaderElectionBenchmark(2, Duration.ofSeconds(10), Duration.ofSeconds(30)));
		all.put("jobs",
				new JobsBenchmark(
						new JobsBenchmark.Plan("*/5 * * * * *", Duration.ofSeconds(5), Duration.ofMillis(20), 12),
						new JobsBenchmark.Plan("*/20 * * * * *", Duration.ofSeconds(20), Duration.ofSeconds(12), 4)));
		all.put("start", new StartBenchmark(11,
				Path.of(System.getProperty("benchmarks.application", "application/target/class-path"))));
		return all;
	}

	static int run(List<String> names, PrintStream out, PrintStream err) {
		Map<String, Benchmark> chosen = new LinkedHashMap<>(names.isEmpty() ? ALL : Map.of());
		for (String name : names) {
			Benchmark benchmark = ALL.get(name);
			if (benchmark == null) {
				err.println("There is no benchmark '" + name + "'; there are " + String.join(", ", ALL.keySet()));
				return STATUS_USAGE;
			}
			chosen.put(name, benchmark);
		}
		return measure(chosen, out, err);
	}

	private static int measure(Map<String, Benchmark> benchmarks, PrintStream out, PrintStream err) {
		boolean met = false;
		try (DatabaseProcess database = DatabaseProcess.start()) {
			met = measure(benchmarks, database, out, err);
		}
		catch (IOException ex) {
			err.println("FAILED: " + ex.getMessage());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			err.println("FAILED: interrupted");
		}
		out.println((met ? "OK" : "MISSED") + " (" + load() + ")");
		return met ? 0 : STATUS_MISSED;
	}

	/**
	 * Runs benchmarks one after the other. One that fails stops none of the others.
	 * @param benchmarks the benchmarks by name, in their order
	 * @param database where they measure
	 * @param out for the numbers
	 * @param err for what failed
	 * @return whether all numbers were measured and are within their bounds
	 * @throws InterruptedException if this thread is interrupted
	 */
	static boolean measure(Map<String, Benchmark> benchmarks, DatabaseProcess database, PrintStream out,
			PrintStream err) throws InterruptedException {
		boolean met = true;
		for (Map.Entry<String, Benchmark> each : benchmarks.entrySet()) {
			out.println(each.getKey() + " (" + load() + ")");
			met &= measure(each.getValue(), database, out, err);
		}
		return met;
	}

	private static boolean measure(Benchmark benchmark, DatabaseProcess database, PrintStream out, PrintStream err)
			throws InterruptedException {
		try {
			List<Figure> figures = benchmark.measure(database);
			figures.forEach((figure) -> out.println("  " + figure.line()));
			return figures.stream().allMatch(Figure::met);
		}
		catch (RuntimeException ex) {
			err.println("  FAILED, this was not measured:");
			ex.printStackTrace(err);
			return false;
		}
	}

	/** The average is that of the last minute, and negative if the system tells none. */
	private static String load() {
		return String.format(Locale.ROOT, "load average %.2f on %d processors",
				ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
				Runtime.getRuntime().availableProcessors());
	}

}
