/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How long a minimal Spring Boot application takes to start, how much longer with a
 * {@code DynamoDbClient} and its first call, and how much longer again with the starter,
 * whose table check is then the first call. The starts alternate, each in a new JVM, so
 * that what slows the machine slows all.
 */
final class StartBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-start";

	private static final String CLIENT = "--benchmark.dynamodb-client=true";

	private static final ApplicationStart PLAIN = new ApplicationStart("plain", false, List.of());

	private static final ApplicationStart CALLING = new ApplicationStart("calling", false,
			List.of(CLIENT, "--benchmark.described-table=" + TABLE));

	private static final ApplicationStart STARTER = new ApplicationStart("starter", true,
			List.of(CLIENT, "--dynamodb-lock.table.name=" + TABLE));

	private static final double MOST = 150;

	private final int rounds;

	private final Path classPathFile;

	/**
	 * Creates the benchmark.
	 * @param rounds how often each application is started
	 * @param classPathFile the file with the class path of the application's dependencies
	 */
	StartBenchmark(int rounds, Path classPathFile) {
		this.rounds = rounds;
		this.classPathFile = classPathFile;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) {
		database.createTable(TABLE);
		ApplicationClassPath classPath = ApplicationClassPath.of(this.classPathFile);
		List<Variant> variants = new ArrayList<>();
		for (ClassArchive archive : ClassArchive.known()) {
			for (ApplicationStart start : List.of(PLAIN, CALLING, STARTER)) {
				Variant variant = new Variant(archive, start);
				variant.train(classPath, database.endpoint());
				variants.add(variant);
			}
		}
		Map<Variant, Samples> millis = new HashMap<>();
		Map<Variant, Samples> cpuMillis = new HashMap<>();
		for (int round = 0; round < this.rounds; round++) {
			for (Variant each : variants) {
				ApplicationStart.Times times = each.run(classPath, database.endpoint());
				millis.computeIfAbsent(each, (variant) -> new Samples()).add(times.millis());
				cpuMillis.computeIfAbsent(each, (variant) -> new Samples()).add(times.cpuMillis());
			}
			Collections.rotate(variants, 1);
		}
		List<Figure> figures = new ArrayList<>();
		for (ClassArchive archive : ClassArchive.known()) {
			figures.addAll(figures(archive, new Medians(archive, millis), new Medians(archive, cpuMillis)));
		}
		return figures;
	}

	private List<Figure> figures(ClassArchive archive, Medians millis, Medians cpuMillis) {
		double starter = millis.starter() - millis.calling();
		boolean bound = archive == ClassArchive.NONE;
		return List.of(
				information(archive.title() + ", the application alone",
						text(millis.plain(), cpuMillis.plain()) + String.format(Locale.ROOT,
								"; medians of %d JVMs, JDK %s", this.rounds, Runtime.version())),
				information(archive.title() + ", a DynamoDbClient and its first call",
						text(millis.calling() - millis.plain(), cpuMillis.calling() - cpuMillis.plain()) + " more"),
				new Figure(archive.title() + ", the starter",
						text(starter, cpuMillis.starter() - cpuMillis.calling()) + " more",
						bound ? String.format(Locale.ROOT, "at most %.0f ms", MOST) : "no bound",
						!bound || starter <= MOST));
	}

	private static String text(double millis, double cpuMillis) {
		return String.format(Locale.ROOT, "%.0f ms, %.0f ms of processor time", millis, cpuMillis);
	}

	private static Figure information(String name, String measured) {
		return new Figure(name, measured, "no bound", true);
	}

	private record Variant(ClassArchive archive, ApplicationStart start) {

		void train(ApplicationClassPath classPath, URI endpoint) {
			if (this.archive != ClassArchive.NONE) {
				this.start.run(classPath, endpoint, this.archive.training(file(classPath)));
			}
		}

		ApplicationStart.Times run(ApplicationClassPath classPath, URI endpoint) {
			return this.start.run(classPath, endpoint, this.archive.use(file(classPath)));
		}

		private Path file(ApplicationClassPath classPath) {
			return classPath.folder().resolve(this.archive + "-" + this.start.name());
		}

	}

	private record Medians(ClassArchive archive, Map<Variant, Samples> samples) {

		double plain() {
			return median(PLAIN);
		}

		double calling() {
			return median(CALLING);
		}

		double starter() {
			return median(STARTER);
		}

		private double median(ApplicationStart start) {
			return this.samples.getOrDefault(new Variant(this.archive, start), new Samples()).median();
		}

	}

}
