/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

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
 * without a time limit and with the lock client's, which end together.
 */
final class CycleCosts {

	/** Beside calls without a time limit, which the SDK keeps by a timer. */
	private static final double MOST_CPU = 1.30;

	/** Beside calls with the time limits of the lock client's. */
	private static final double MOST_CPU_LIMITED = 1.20;

	private static final double LEAST_SPEED = 0.95;

	private static final double MOST_KILOBYTES = 1.10;

	private static final int THREADS = 16;

	/** A cycle on one thread with added latency takes as long as many others together. */
	private static final int SHORTER_TURNS = 10;

	private static final double P99 = 0.99;

	private static final int BARE = 0;

	private static final int LIMITED = 1;

	private static final int LOCKS = 2;

	private final int warmUpRounds;

	private final int rounds;

	private final int cycles;

	/**
	 * @param warmUpRounds how many turns each client has before it is measured
	 * @param rounds how many turns each client has
	 * @param cycles how many cycles a turn has
	 */
	CycleCosts(int warmUpRounds, int rounds, int cycles) {
		this.warmUpRounds = warmUpRounds;
		this.rounds = rounds;
		this.cycles = cycles;
	}

	/**
	 * Measures all clients.
	 * @param database where the tables are
	 * @param results where the numbers are put
	 * @return the lock client's numbers with their bounds
	 * @throws InterruptedException if this thread is interrupted
	 */
	List<Figure> measure(DatabaseProcess database, ClientResults results) throws InterruptedException {
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
			for (int i = 0; i < clients.all().size(); i++) {
				if (i != LIMITED) {
					String client = clients.all().get(i).name();
					results.put(Measure.CALLS, client, onAll.get(i).calls());
					results.put(Measure.KILOBYTES, client, onAll.get(i).kilobytes());
					results.put(Measure.CPU_ON_ALL, client, onAll.get(i).cpuMicros());
					results.put(Measure.CPU_ON_ONE, client, onOne.get(i).cpuMicros());
					results.put(Measure.CYCLES_A_SECOND, client, slowOnAll.get(i).perSecond());
					results.put(Measure.MILLIS, client, slowOnOne.get(i).millis());
					results.put(Measure.MILLIS_P99, client, slowOnOne.get(i).millis(P99));
				}
			}
			List<Figure> figures = new ArrayList<>();
			figures.addAll(besideBare(THREADS + " threads", onAll));
			figures.addAll(besideBare("1 thread", onOne));
			figures.add(besidePeers(clients.all(), slowOnAll));
			return figures;
		}
	}

	private static List<CycleUsage> run(CycleClients clients, int threads, int rounds, int cycles)
			throws InterruptedException {
		try (CycleRounds turns = new CycleRounds(threads, clients.all(), clients.meter())) {
			return turns.run(rounds, cycles);
		}
	}

	private static List<Figure> besideBare(String on, List<CycleUsage> usages) {
		CycleUsage locks = usages.get(LOCKS);
		CycleUsage bare = usages.get(BARE);
		double kilobytes = locks.kilobytes() / bare.kilobytes();
		return List.of(cpu(on, locks, bare, MOST_CPU),
				cpu(on + ", same time limits", locks, usages.get(LIMITED), MOST_CPU_LIMITED),
				new Figure("cycle allocation, " + on,
						format("%.3f x the bare SDK; %.1f KB, bare %.1f KB, with the same time limits %.1f KB",
								kilobytes, locks.kilobytes(), bare.kilobytes(), usages.get(LIMITED).kilobytes()),
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
	private static Figure besidePeers(List<CycleClient> clients, List<CycleUsage> usages) {
		double locks = usages.get(LOCKS).perSecond();
		int fastest = IntStream.range(LOCKS + 1, usages.size())
			.boxed()
			.max(Comparator.comparingDouble((peer) -> usages.get(peer).perSecond()))
			.orElseThrow();
		double peers = usages.get(fastest).perSecond();
		return new Figure("cycles/s, " + THREADS + " threads, +5 ms a call",
				format("%.0f, %.3f x the fastest peer: %s, %.0f; bare SDK %.0f", locks, locks / peers,
						clients.get(fastest).name(), peers, usages.get(BARE).perSecond()),
				format("at least %.2f of the fastest peer's", LEAST_SPEED), locks >= LEAST_SPEED * peers);
	}

	private static String format(String format, Object... values) {
		return String.format(Locale.ROOT, format, values);
	}

}
