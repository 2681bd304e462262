/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Calls, time and preemptions of acquire and release of a lock that no other client
 * wants, beside the same two requests sent with the SDK alone ({@link BareCalls}).
 *
 * <p>
 * One thread runs them in turns, so that what slows the machine slows both. For the time,
 * a turn has one cycle. Preemptions of that thread are counted without added latency, in
 * turns of many cycles.
 */
final class CycleBenchmark implements Benchmark {

	private static final double MOST = 1.02;

	private static final double MOST_PREEMPTIONS = 0.1;

	private static final int WARM_UP = 3;

	/** In which preemptions are counted. */
	private static final int TURNS = 9;

	private final int rounds;

	CycleBenchmark(int rounds) {
		this.rounds = rounds;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		List<Figure> figures = new ArrayList<>();
		try (CycleClients fast = new CycleClients(database, 1)) {
			// Compiled code is measured, and that takes some thousand rounds.
			run(fast, WARM_UP * this.rounds);
			preemptions(fast.bareAndLocks(), this.rounds / TURNS + 1).ifPresent(figures::add);
		}
		try (CycleClients clients = new CycleClients(database, 1, new AddedLatency())) {
			List<CycleUsage> usages = run(clients, this.rounds);
			figures.addAll(figures(usages.get(0), usages.get(1)));
			return figures;
		}
	}

	private static List<CycleUsage> run(CycleClients clients, int rounds) throws InterruptedException {
		try (CycleRounds turns = new CycleRounds(1, clients.bareAndLocks(), clients.meter())) {
			return turns.run(rounds, 1);
		}
	}

	private static Optional<Figure> preemptions(List<CycleClient> bareAndLocks, int cycles)
			throws InterruptedException {
		List<Samples> perCycle = List.of(new Samples(), new Samples());
		for (int turn = 0; turn < 2 * TURNS; turn++) {
			CycleClient client = bareAndLocks.get(turn % 2);
			OptionalLong before = ProcessUsage.preemptionsOfThisThread();
			for (int cycle = 0; cycle < cycles; cycle++) {
				client.cycle().work(0);
			}
			OptionalLong after = ProcessUsage.preemptionsOfThisThread();
			if (before.isPresent() && after.isPresent()) {
				perCycle.get(turn % 2).add((double) (after.getAsLong() - before.getAsLong()) / cycles);
			}
		}
		if (perCycle.get(1).size() == 0) {
			return Optional.empty();
		}
		double locks = perCycle.get(1).median();
		return Optional
			.of(new Figure("cycle preemptions",
					String.format(Locale.ROOT, "%.3f of the calling thread; medians of %d turns, bare SDK %.3f", locks,
							TURNS, perCycle.get(0).median()),
					"at most " + MOST_PREEMPTIONS, locks <= MOST_PREEMPTIONS));
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
