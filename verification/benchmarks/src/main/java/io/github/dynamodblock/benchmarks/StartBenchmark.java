/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * How long a minimal Spring Boot application takes to start with the starter, and without
 * it. The starts alternate, each in a new JVM, so that what slows the machine slows all.
 */
final class StartBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-start";

	private static final String CLIENT = "--benchmark.dynamodb-client=true";

	private static final String LOCKS = "--dynamodb-lock.table.name=" + TABLE;

	private static final ApplicationStart PLAIN = new ApplicationStart(false, List.of());

	private static final ApplicationStart STARTER = new ApplicationStart(true, List.of(LOCKS));

	private static final ApplicationStart CLIENT_PLAIN = new ApplicationStart(false, List.of(CLIENT));

	private static final ApplicationStart CLIENT_STARTER = new ApplicationStart(true, List.of(CLIENT, LOCKS));

	private static final ApplicationStart CLIENT_UNCHECKED = new ApplicationStart(true,
			List.of(CLIENT, LOCKS, "--dynamodb-lock.table.check=false"));

	private static final double MOST = 150;

	private final int rounds;

	private final Path classPath;

	/**
	 * Creates the benchmark.
	 * @param rounds how often each application is started
	 * @param classPath the file with the class path of the application's dependencies
	 */
	StartBenchmark(int rounds, Path classPath) {
		this.rounds = rounds;
		this.classPath = classPath;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) {
		database.createTable(TABLE);
		List<ApplicationStart> starts = new ArrayList<>(
				List.of(CLIENT_PLAIN, CLIENT_STARTER, CLIENT_UNCHECKED, PLAIN, STARTER));
		Map<ApplicationStart, Samples> millis = new HashMap<>();
		for (int round = 0; round < this.rounds; round++) {
			for (ApplicationStart each : starts) {
				millis.computeIfAbsent(each, (start) -> new Samples())
					.add(each.millis(this.classPath, database.endpoint()));
			}
			Collections.rotate(starts, 1);
		}
		return figures((start) -> Objects.requireNonNull(millis.get(start)).median());
	}

	private List<Figure> figures(ToDoubleFunction<ApplicationStart> medians) {
		double plain = medians.applyAsDouble(CLIENT_PLAIN);
		double starter = medians.applyAsDouble(CLIENT_STARTER);
		return List.of(
				new Figure("start", measured(starter, plain), String.format(Locale.ROOT, "at most %.0f ms more", MOST),
						starter - plain <= MOST),
				information("start, without the table check", measured(medians.applyAsDouble(CLIENT_UNCHECKED), plain)),
				information("start, without a DynamoDbClient bean",
						measured(medians.applyAsDouble(STARTER), medians.applyAsDouble(PLAIN))));
	}

	private String measured(double starter, double plain) {
		return String.format(Locale.ROOT, "%.0f ms more; medians of %d: %.0f ms, without the starter %.0f ms",
				starter - plain, this.rounds, starter, plain);
	}

	private static Figure information(String name, String measured) {
		return new Figure(name, measured, "no bound", true);
	}

}
