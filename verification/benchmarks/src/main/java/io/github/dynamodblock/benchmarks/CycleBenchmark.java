/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * Calls and time of acquire and release of a lock that no other client wants, beside the
 * same two requests sent with the SDK alone ({@link BareCalls}).
 *
 * <p>
 * One thread runs them in turns of one cycle, so that what slows the machine slows both.
 */
final class CycleBenchmark implements Benchmark {

	private static final double MOST = 1.02;

	private static final int WARM_UP = 3;

	private final int rounds;

	CycleBenchmark(int rounds) {
		this.rounds = rounds;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		try (CycleClients fast = new CycleClients(database, 1)) {
			// Compiled code is measured, and that takes some thousand rounds.
			run(fast, WARM_UP * this.rounds);
		}
		try (CycleClients clients = new CycleClients(database, 1, new AddedLatency())) {
			List<CycleUsage> usages = run(clients, this.rounds);
			return figures(usages.get(0), usages.get(1));
		}
	}

	private static List<CycleUsage> run(CycleClients clients, int rounds) throws InterruptedException {
		try (CycleRounds turns = new CycleRounds(1, clients.bareAndLocks(), clients.meter())) {
			return turns.run(rounds, 1);
		}
	}

	private static List<Figure> figures(CycleUsage bare, CycleUsage locks) {
		double ratio = locks.millis() / bare.millis();
		String measured = String.format(Locale.ROOT, "%.3f x the bare SDK; medians of %d: %.2f ms, bare %.2f ms", ratio,
				locks.turns(), locks.millis(), bare.millis());
		return List.of(
				new Figure("cycle calls", String.format(Locale.ROOT, "%.2f", locks.calls()), "2", locks.calls() == 2),
				new Figure("cycle time", measured, "at most " + MOST, ratio <= MOST));
	}

}
