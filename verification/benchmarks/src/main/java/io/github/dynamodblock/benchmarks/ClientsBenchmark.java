/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.github.dynamodblock.benchmarks.FairnessBenchmark.Contention;
import io.github.dynamodblock.benchmarks.LockingClient.Library;

/**
 * The lock client and its peers, side by side: what a cycle costs, contention, hand-off,
 * takeover and late release. Writes the page and the pictures about them.
 */
final class ClientsBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-peers-";

	private static final Duration HOLD = Duration.ofMillis(5);

	private static final Duration LEASE = Duration.ofSeconds(4);

	/** The AWS lock client polls once a second. */
	private static final Duration HOLDS_DIFFER_BY = Duration.ofMillis(500);

	/** Crashes wait most of the time. */
	private static final int CRASHES_AT_ONCE = 10;

	private final CycleCosts cycles;

	private final Duration contention;

	private final int handOffs;

	private final int crashes;

	private final Path docs;

	/**
	 * @param cycles measures cycles of acquire and release
	 * @param contention how long threads contend for one lock
	 * @param handOffs how often a lock changes hands
	 * @param crashes how many holders of each client crash
	 * @param docs the directory for the page and the pictures
	 */
	ClientsBenchmark(CycleCosts cycles, Duration contention, int handOffs, int crashes, Path docs) {
		this.cycles = cycles;
		this.contention = contention;
		this.handOffs = handOffs;
		this.crashes = crashes;
		this.docs = docs;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		ClientResults results = new ClientResults();
		Samples load = new Samples();
		load.add(load());
		double loadBefore = load.median();
		List<Figure> figures = new ArrayList<>();
		results.attempt("cycles", () -> figures.addAll(this.cycles.measure(database, results)));
		for (int i = 0; i < Libraries.WAITING.size(); i++) {
			load.add(load());
			contend(database, i, results);
		}
		load.add(load());
		sideBySide(database, results);
		load.add(load());
		new ClientsReport(results, loadBefore, load.greatest()).write(this.docs);
		results.failures().forEach((failure) -> figures.add(new Figure("not measured", failure, "measured", false)));
		return figures;
	}

	private void contend(DatabaseProcess database, int number, ClientResults results) throws InterruptedException {
		Library library = Libraries.WAITING.get(number);
		results.attempt("contention of two clients, " + library.name(), () -> {
			Contention two = FairnessBenchmark.contend(database, library, TABLE + "two-" + number, 2, 8, HOLD,
					this.contention);
			results.put(Measure.TWO_A_SECOND, library.name(), two.perSecond());
			results.put(Measure.TWO_CALLS, library.name(), two.callsEach());
			results.put(Measure.TWO_LONGEST, library.name(), two.longestWaitSeconds());
			results.put(Measure.TWO_RATIO, library.name(), two.mostOverLeast());
		});
		results.attempt("contention of one client, " + library.name(), () -> {
			Contention one = FairnessBenchmark.contend(database, library, TABLE + "one-" + number, 1, 16, HOLD,
					this.contention);
			results.put(Measure.ONE_A_SECOND, library.name(), one.perSecond());
			results.put(Measure.ONE_CALLS, library.name(), one.callsEach());
			results.put(Measure.ONE_LONGEST, library.name(), one.longestWaitSeconds());
			results.put(Measure.ONE_RATIO, library.name(), one.mostOverLeast());
		});
	}

	/** What waits most of the time, for all clients at once. */
	private void sideBySide(DatabaseProcess database, ClientResults results) throws InterruptedException {
		List<Library> libraries = Libraries.WAITING;
		Workers.run(libraries.size(), (number) -> {
			Library library = libraries.get(number);
			results.attempt("hand-off, " + library.name(), () -> {
				HandOffBenchmark.Relay relay = new HandOffBenchmark.Relay(this.handOffs, HOLDS_DIFFER_BY);
				relay.run(database, library, TABLE + "relay-" + number, 2);
				results.put(Measure.HAND_OFF, library.name(), relay.medianMillis());
				results.put(Measure.WAITING_UNITS, library.name(), relay.unitsASecond());
			});
		});
		List<Callable<Void>> waits = new ArrayList<>();
		for (int i = 0; i < libraries.size(); i++) {
			waits.addAll(crashes(database, libraries.get(i), TABLE + "crash-" + i, results));
		}
		for (int i = 0; i < Libraries.ALL.size(); i++) {
			Library library = Libraries.ALL.get(i);
			String table = TABLE + "late-" + i;
			waits.add(() -> {
				results.attempt("late release, " + library.name(), () -> results.put(Measure.LATE_RELEASE,
						library.name(), LateRelease.effect(database, library, table)));
				return null;
			});
		}
		Workers.run(CRASHES_AT_ONCE, waits);
	}

	private List<Callable<Void>> crashes(DatabaseProcess database, Library library, String table,
			ClientResults results) {
		Samples leases = new Samples();
		List<Callable<Void>> crashes = new ArrayList<>();
		for (int number = 0; number < this.crashes; number++) {
			String key = "crash-" + number;
			crashes.add(() -> {
				results.attempt("takeover, " + library.name(), () -> {
					leases.add(TakeoverBenchmark.crash(database, library, table, key, LEASE));
					results.put(Measure.TAKEOVER, library.name(), leases.median());
					results.put(Measure.TAKEOVER_MOST, library.name(), leases.greatest());
				});
				return null;
			});
		}
		return crashes;
	}

	private static double load() {
		return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
	}

}
