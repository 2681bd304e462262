/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What a permit of a semaphore costs, beside a lock: the memory of an uncontended cycle,
 * the calls of a waiter, and the calls of a client that uses most of the permits.
 */
final class SemaphoreBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-semaphores";

	private static final int PERMITS = 100;

	private static final double MOST_KILOBYTES = 1.2;

	private static final double MOST_CALLS = 4;

	/** Of a cycle: no permit is claimed in vain. */
	private static final double CALLS = 2;

	private static final double ROUNDED = 0.05;

	/** So many threads meet in the lock client, not at the processors. */
	private static final AddedLatency LATENCY = new AddedLatency(Duration.ofMillis(20), SdkRequest.class);

	private static final Duration WAIT = Duration.ofMinutes(5);

	private static final int USED_PERMITS = 30;

	/** Of so many permits, 80 %. */
	private static final int USERS = 24;

	private final int rounds;

	private final int cycles;

	private final Duration first;

	private final Duration counted;

	/**
	 * @param rounds in how many turns uncontended cycles are measured, after as many to
	 * warm up
	 * @param cycles how many cycles a turn has
	 * @param first for how long a waiter's first calls are not counted
	 * @param counted for how long calls are counted then
	 */
	SemaphoreBenchmark(int rounds, int cycles, Duration first, Duration counted) {
		this.rounds = rounds;
		this.cycles = cycles;
		this.first = first;
		this.counted = counted;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		return List.of(allocation(database), busy(database), waiting(database));
	}

	private static LockClient newClient(DynamoDbClient dynamoDb) {
		return LockClient.builder(dynamoDb).tableName(TABLE).build();
	}

	private Figure allocation(DatabaseProcess database) throws InterruptedException {
		CallMeter meter = new CallMeter();
		try (DynamoDbClient dynamoDb = database.newFastClient(meter); LockClient client = newClient(dynamoDb)) {
			List<CycleClient> both = List.of(cycles(client, "lock", 1), cycles(client, "permit", PERMITS));
			run(both, meter);
			List<CycleUsage> usages = run(both, meter);
			double lock = usages.get(0).kilobytes();
			double permit = usages.get(1).kilobytes();
			return new Figure("allocation of a permit of " + PERMITS,
					String.format(Locale.ROOT, "%.3f x a lock; medians of %d turns: %.1f KB, a lock %.1f KB",
							permit / lock, usages.get(1).turns(), permit, lock),
					"at most " + MOST_KILOBYTES, permit <= MOST_KILOBYTES * lock);
		}
	}

	private List<CycleUsage> run(List<CycleClient> clients, CallMeter meter) throws InterruptedException {
		try (CycleRounds turns = new CycleRounds(1, clients, meter)) {
			return turns.run(this.rounds, this.cycles);
		}
	}

	private Figure busy(DatabaseProcess database) throws InterruptedException {
		CallMeter meter = new CallMeter();
		try (DynamoDbClient dynamoDb = database.newFastClient(meter, LATENCY);
				LockClient client = newClient(dynamoDb);
				CycleRounds turns = new CycleRounds(USERS, List.of(cycles(client, "busy", USED_PERMITS)), meter)) {
			CycleUsage usage = turns.run(1, this.rounds * this.cycles).get(0);
			return new Figure("calls of a cycle, " + USERS + " threads on " + USED_PERMITS + " permits",
					String.format(Locale.ROOT, "%.3f; %.0f cycles/s", usage.calls(), usage.perSecond()),
					"%.1f".formatted(CALLS), Math.abs(usage.calls() - CALLS) < ROUNDED);
		}
	}

	private static CycleClient cycles(LockClient client, String key, int permits) {
		return new CycleClient(key, (worker) -> client.acquire(LockRequest.of(key).permits(permits)).release());
	}

	private Figure waiting(DatabaseProcess database) throws InterruptedException {
		try (DynamoDbClient dynamoDb = database.newFastClient(); LockClient holder = newClient(dynamoDb)) {
			holder.acquire("held");
			for (int i = 0; i < PERMITS; i++) {
				holder.acquire(LockRequest.of("all held").permits(PERMITS));
			}
			List<LockRequest> requests = List.of(LockRequest.of("held"), LockRequest.of("all held").permits(PERMITS));
			double[] perSecond = new double[requests.size()];
			Workers.run(requests.size(), (number) -> perSecond[number] = callsASecond(database, requests.get(number)));
			double ratio = perSecond[1] / perSecond[0];
			return new Figure(
					"calls of a waiter for " + PERMITS + " permits", String.format(Locale.ROOT,
							"%.2f x for a lock; %.1f a second, for a lock %.1f", ratio, perSecond[1], perSecond[0]),
					"at most " + MOST_CALLS, ratio <= MOST_CALLS);
		}
	}

	private double callsASecond(DatabaseProcess database, LockRequest request) throws InterruptedException {
		CallMeter meter = new CallMeter();
		try (DynamoDbClient dynamoDb = database.newClient(meter); LockClient client = newClient(dynamoDb)) {
			CompletableFuture<HeldLock> acquired = client.acquireAsync(request.waitTime(WAIT));
			Thread.sleep(this.first.toMillis());
			meter.reset();
			Thread.sleep(this.counted.toMillis());
			double perSecond = meter.calls() / Units.seconds(this.counted.toNanos());
			if (!acquired.cancel(true)) {
				throw new IllegalStateException("No longer waited: " + acquired);
			}
			return perSecond;
		}
	}

}
