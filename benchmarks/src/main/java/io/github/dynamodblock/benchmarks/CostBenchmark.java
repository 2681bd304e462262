/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What a cycle of the lock client costs its process, beside the same two requests sent
 * with the SDK alone: processor time and allocated memory.
 *
 * <p>
 * Both take turns in one warm JVM, on 16 threads and on one, each thread with a key of
 * its own and without added latency. The processor time is that of this process, see
 * {@link ProcessUsage}; DynamoDB Local runs in another one. Medians of the turns are
 * compared. The bare requests are built once and have no time limit of their own.
 */
final class CostBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-cost";

	private static final double MOST_CPU = 1.15;

	private static final double MOST_KILOBYTES = 1.10;

	private static final int THREADS = 16;

	private static final int WARM_UP_ROUNDS = 5;

	private final int rounds;

	private final int cycles;

	/**
	 * @param rounds how many turns each client has
	 * @param cycles how many cycles a turn has
	 */
	CostBenchmark(int rounds, int cycles) {
		this.rounds = rounds;
		this.cycles = cycles;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		List<Figure> figures = new ArrayList<>();
		try (DynamoDbClient dynamoDb = database.newFastClient(); LockCycles locks = new LockCycles(dynamoDb, TABLE)) {
			BareCycles bare = BareCycles.record(database, dynamoDb, TABLE, THREADS);
			List<CycleClient> clients = List.of(bare, locks);
			try (CycleRounds warmUp = new CycleRounds(THREADS, clients)) {
				warmUp.run(WARM_UP_ROUNDS, this.cycles);
			}
			for (int threads : new int[] { THREADS, 1 }) {
				try (CycleRounds measured = new CycleRounds(threads, clients)) {
					List<CycleUsage> usages = measured.run(this.rounds, this.cycles);
					figures.addAll(figures(threads, usages.get(1), usages.get(0)));
				}
			}
		}
		return figures;
	}

	private static List<Figure> figures(int threads, CycleUsage locks, CycleUsage bare) {
		String on = (threads == 1) ? ", 1 thread" : ", " + threads + " threads";
		double cpu = locks.cpuMicros() / bare.cpuMicros();
		double kilobytes = locks.kilobytes() / bare.kilobytes();
		return List.of(new Figure("cycle CPU" + on,
				format("%.3f x the bare SDK; medians of %d turns: %.0f us, bare %.0f us; %.0f and %.0f cycles/s", cpu,
						locks.turns(), locks.cpuMicros(), bare.cpuMicros(), locks.perSecond(), bare.perSecond()),
				"at most " + MOST_CPU, cpu <= MOST_CPU),
				new Figure("cycle allocation" + on,
						format("%.3f x the bare SDK; %.1f KB, bare %.1f KB", kilobytes, locks.kilobytes(),
								bare.kilobytes()),
						format("at most %.2f", MOST_KILOBYTES), kilobytes <= MOST_KILOBYTES));
	}

	private static String format(String format, Object... values) {
		return String.format(Locale.ROOT, format, values);
	}

}
