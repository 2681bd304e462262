/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What a cycle of the lock client costs, beside the same two requests sent with the SDK
 * alone and beside other lock clients: processor time, allocated memory and cycles a
 * second.
 *
 * <p>
 * All take turns in one warm JVM, on 16 threads and on one, each thread with a key of its
 * own. The processor time is that of this process, see {@link ProcessUsage}; DynamoDB
 * Local runs in another one. It is measured without added latency, the cycles a second
 * with it. Medians of the turns are compared. The bare requests are built once, and sent
 * without a time limit and with the lock client's.
 */
final class CostBenchmark implements Benchmark {

	/** Beside calls without a time limit, which the SDK keeps by a timer. */
	private static final double MOST_CPU = 1.30;

	/** Beside calls with the time limit of the lock client's. */
	private static final double MOST_CPU_LIMITED = 1.15;

	private static final double LEAST_SPEED = 0.95;

	private static final double MOST_KILOBYTES = 1.10;

	private static final int THREADS = 16;

	/** A cycle on one thread with added latency takes as long as many others together. */
	private static final int SHORTER_TURNS = 40;

	private static final int BARE = 0;

	private static final int LIMITED = 1;

	private static final int LOCKS = 2;

	private final int warmUpRounds;

	private final int rounds;

	private final int cycles;

	private final Path results;

	/**
	 * @param warmUpRounds how many turns each client has before it is measured
	 * @param rounds how many turns each client has
	 * @param cycles how many cycles a turn has
	 * @param results the directory for the table and the picture
	 */
	CostBenchmark(int warmUpRounds, int rounds, int cycles, Path results) {
		this.warmUpRounds = warmUpRounds;
		this.rounds = rounds;
		this.cycles = cycles;
		this.results = results;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		List<CycleUsage> onAll;
		List<CycleUsage> onOne;
		try (CycleClients clients = new CycleClients(database, THREADS)) {
			run(clients, THREADS, this.warmUpRounds, this.cycles);
			onAll = run(clients, THREADS, this.rounds, this.cycles);
			onOne = run(clients, 1, this.rounds, this.cycles);
		}
		try (CycleClients clients = new CycleClients(database, THREADS, new AddedLatency())) {
			List<CycleUsage> slowOnAll = run(clients, THREADS, this.rounds, this.cycles);
			List<CycleUsage> slowOnOne = run(clients, 1, this.rounds, Math.max(1, this.cycles / SHORTER_TURNS));
			List<ClientCost> costs = costs(clients.all(), onAll, onOne, slowOnAll, slowOnOne);
			new CostReport(costs).write(this.results);
			List<Figure> figures = new ArrayList<>();
			figures.addAll(besideBare(THREADS + " threads", onAll));
			figures.addAll(besideBare("1 thread", onOne));
			figures.add(besidePeers(costs));
			return figures;
		}
	}

	private static List<CycleUsage> run(CycleClients clients, int threads, int rounds, int cycles)
			throws InterruptedException {
		try (CycleRounds turns = new CycleRounds(threads, clients.all(), clients.meter())) {
			return turns.run(rounds, cycles);
		}
	}

	private static List<ClientCost> costs(List<CycleClient> clients, List<CycleUsage> onAll, List<CycleUsage> onOne,
			List<CycleUsage> slowOnAll, List<CycleUsage> slowOnOne) {
		List<ClientCost> costs = new ArrayList<>();
		for (int i = 0; i < clients.size(); i++) {
			costs.add(new ClientCost(clients.get(i).name(), onAll.get(i).calls(), onAll.get(i).cpuMicros(),
					onOne.get(i).cpuMicros(), onAll.get(i).kilobytes(), slowOnAll.get(i).perSecond(),
					slowOnOne.get(i).millis()));
		}
		return costs;
	}

	private static List<Figure> besideBare(String on, List<CycleUsage> usages) {
		CycleUsage locks = usages.get(LOCKS);
		CycleUsage bare = usages.get(BARE);
		double kilobytes = locks.kilobytes() / bare.kilobytes();
		return List.of(cpu(on, locks, bare, MOST_CPU),
				cpu(on + ", same time limit", locks, usages.get(LIMITED), MOST_CPU_LIMITED),
				new Figure("cycle allocation, " + on,
						format("%.3f x the bare SDK; %.1f KB, bare %.1f KB", kilobytes, locks.kilobytes(),
								bare.kilobytes()),
						format("at most %.2f", MOST_KILOBYTES), kilobytes <= MOST_KILOBYTES));
	}

	private static Figure cpu(String on, CycleUsage locks, CycleUsage bare, double most) {
		double cpu = locks.cpuMicros() / bare.cpuMicros();
		return new Figure("cycle CPU, " + on,
				format("%.3f x the bare SDK; medians of %d turns: %.0f us, bare %.0f us; %.0f and %.0f cycles/s", cpu,
						locks.turns(), locks.cpuMicros(), bare.cpuMicros(), locks.perSecond(), bare.perSecond()),
				format("at most %.2f", most), cpu <= most);
	}

	/** The bare SDK is no peer: it holds no lock. */
	private static Figure besidePeers(List<ClientCost> costs) {
		double locks = costs.get(LOCKS).perSecond();
		ClientCost fastest = costs.stream()
			.skip(LOCKS + 1)
			.max(Comparator.comparingDouble(ClientCost::perSecond))
			.orElseThrow();
		return new Figure("cycles/s, " + THREADS + " threads, +5 ms a call",
				format("%.0f, %.3f x the fastest peer: %s, %.0f; bare SDK %.0f", locks, locks / fastest.perSecond(),
						fastest.name(), fastest.perSecond(), costs.get(BARE).perSecond()),
				format("at least %.2f of the fastest peer's", LEAST_SPEED), locks >= LEAST_SPEED * fastest.perSecond());
	}

	private static String format(String format, Object... values) {
		return String.format(Locale.ROOT, format, values);
	}

}
