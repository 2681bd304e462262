/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import io.github.dynamodblock.benchmarks.LockingClient.Library;

/**
 * A lock whose holder crashes while another client waits for it: how long after the
 * holder's last heartbeat the waiter has it.
 */
final class TakeoverBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-takeover";

	private static final int AT_ONCE = 6;

	private static final double LEAST = 1.00;

	private static final double MOST = 1.05;

	private final List<Rounds> rounds;

	TakeoverBenchmark(List<Rounds> rounds) {
		this.rounds = rounds;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		List<Callable<Void>> crashes = new ArrayList<>();
		List<Samples> results = new ArrayList<>();
		for (Rounds each : this.rounds) {
			Samples leases = new Samples();
			results.add(leases);
			for (int number = 0; number < each.count(); number++) {
				String key = "crash-%d-%d".formatted(each.lease().toMillis(), number);
				crashes.add(() -> {
					leases.add(crash(database, Libraries.LOCKS, TABLE, key, each.lease()));
					return null;
				});
			}
		}
		Workers.run(AT_ONCE, crashes);
		List<Figure> figures = new ArrayList<>();
		for (int i = 0; i < results.size(); i++) {
			figures.add(figure(this.rounds.get(i).lease(), results.get(i)));
		}
		return figures;
	}

	private static Figure figure(Duration lease, Samples leases) {
		return new Figure("takeover, lease " + lease.toSeconds() + " s",
				String.format(Locale.ROOT, "%.3f to %.3f of the lease, median %.3f (%d times)", leases.least(),
						leases.greatest(), leases.median(), leases.size()),
				"1.00 to 1.05", leases.least() >= LEAST && leases.greatest() <= MOST);
	}

	/**
	 * Crashes a holder while another client waits.
	 * @param database where the table is
	 * @param library whose lock it is
	 * @param table the name of the table
	 * @param key the lock's key
	 * @param lease for how long the lock is valid without a heartbeat
	 * @return the time from the holder's last applied write to the takeover, in leases
	 * @throws InterruptedException if this thread is interrupted
	 */
	static double crash(DatabaseProcess database, Library library, String table, String key, Duration lease)
			throws InterruptedException {
		CrashingCalls calls = new CrashingCalls();
		try (LockingClient waiter = library.open(database, table, lease, new AddedLatency());
				LockingClient holder = library.open(database, table, lease, calls, new AddedLatency())) {
			holder.mustAcquire(key, Duration.ZERO);
			// Polls of the waiter begin at any point between two heartbeats.
			Thread.sleep((long) (lease.toMillis() * ThreadLocalRandom.current().nextDouble(0, 0.25)));
			CompletableFuture<Long> takeover = CompletableFuture.supplyAsync(() -> grantedAt(waiter, key, lease),
					(task) -> new Thread(task, "waiter of " + key).start());
			// At any point of the heartbeat period, and after some heartbeats.
			Thread.sleep((long) (lease.toMillis() * ThreadLocalRandom.current().nextDouble(0.5, 1)));
			calls.crash();
			return (double) (takeover.join() - calls.lastHeartbeat()) / lease.toNanos();
		}
	}

	private static long grantedAt(LockingClient waiter, String key, Duration lease) {
		try {
			waiter.mustAcquire(key, lease.multipliedBy(4));
			return System.nanoTime();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for the lock of a crashed holder", ex);
		}
	}

	/**
	 * Some crashes.
	 *
	 * @param lease the lease of the holders
	 * @param count how many
	 */
	record Rounds(Duration lease, int count) {
	}

}
