/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Runs cycles of several clients in turns, in this JVM and with the same number of
 * threads, and measures what each turn used.
 *
 * <p>
 * What slows the machine slows them all. The order changes with each round, since a turn
 * leaves traces for the next.
 */
final class CycleRounds implements AutoCloseable {

	private final int threads;

	/** Kept for all rounds: what a thread allocated is unknown once it has ended. */
	private final ExecutorService executor;

	private final List<CycleClient> clients;

	private final CallMeter meter;

	/** In the order of the clients. */
	private final List<CycleUsage> usages;

	/**
	 * @param threads how many threads run cycles, each on a key of its own
	 * @param clients who takes turns
	 * @param meter counts the calls of the clients
	 */
	CycleRounds(int threads, List<CycleClient> clients, CallMeter meter) {
		this.meter = meter;
		this.threads = threads;
		this.executor = Executors.newFixedThreadPool(threads);
		this.clients = List.copyOf(clients);
		this.usages = clients.stream().map((client) -> new CycleUsage()).toList();
	}

	/**
	 * Runs rounds, in each of which every client has a turn.
	 * @param rounds how many
	 * @param cycles how many cycles a turn has, over all threads
	 * @return what the turns used so far, in the order of the clients
	 * @throws InterruptedException if this thread is interrupted
	 */
	List<CycleUsage> run(int rounds, int cycles) throws InterruptedException {
		for (int round = 0; round < rounds; round++) {
			for (int turn = 0; turn < this.clients.size(); turn++) {
				int client = (round + turn) % this.clients.size();
				turn(this.clients.get(client), this.usages.get(client), Math.max(1, cycles / this.threads));
			}
		}
		return this.usages;
	}

	private void turn(CycleClient client, CycleUsage usage, int cyclesEach) throws InterruptedException {
		List<Callable<Void>> workers = IntStream.range(0, this.threads)
			.mapToObj((worker) -> (Callable<Void>) () -> work(client, usage, worker, cyclesEach))
			.toList();
		long callsBefore = this.meter.calls();
		ProcessUsage before = ProcessUsage.now();
		long began = System.nanoTime();
		List<Future<Void>> finished = this.executor.invokeAll(workers);
		long nanos = System.nanoTime() - began;
		ProcessUsage after = ProcessUsage.now();
		try {
			for (Future<Void> each : finished) {
				each.get();
			}
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(client.name() + " failed: " + ex.getCause(), ex.getCause());
		}
		usage.addTurn(this.threads * cyclesEach, this.meter.calls() - callsBefore, nanos, before, after);
	}

	private static Void work(CycleClient client, CycleUsage usage, int worker, int cycles) throws InterruptedException {
		for (int cycle = 0; cycle < cycles; cycle++) {
			long began = System.nanoTime();
			client.cycle().work(worker);
			usage.addCycle(Units.millisSince(began));
		}
		return null;
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
