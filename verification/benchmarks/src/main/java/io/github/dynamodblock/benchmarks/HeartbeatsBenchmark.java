/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.github.dynamodblock.LockClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The processor time of a heartbeat of many held locks, beside the same update sent with
 * the SDK alone and the same time limits, equally often ({@link BareCalls}).
 *
 * <p>
 * The two take turns in one warm JVM. After a turn, the lock client is closed without
 * releasing its locks, so that nothing but the bare SDK runs in the next one. The
 * processor time is that of all threads of this process, see {@link ProcessUsage};
 * DynamoDB Local runs in another one.
 */
final class HeartbeatsBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-heartbeats";

	private static final double MOST_CPU = 1.4;

	/** Of the default lease of 20 s; heartbeats are early by up to a tenth of it. */
	private static final double PERIOD_SECONDS = 5;

	private static final double LEAST_HEARTBEATS = 0.8;

	private static final double MOST_HEARTBEATS = 1.3;

	private static final int THREADS = 4;

	/** As the lock client's heartbeats, bare calls are due together. */
	private static final long STEP_MILLIS = 10;

	private final int locks;

	private final int rounds;

	private final Duration turn;

	/**
	 * @param locks how many are held, with the default lease
	 * @param rounds how many turns each of the two has, besides one to warm up
	 * @param turn how long a turn lasts, more than the period of the heartbeats
	 */
	HeartbeatsBenchmark(int locks, int rounds, Duration turn) {
		this.locks = locks;
		this.rounds = rounds;
		this.turn = turn;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		CallMeter meter = new CallMeter();
		try (DynamoDbClient dynamoDb = database.newFastClient(meter)) {
			BareCalls bare = BareCalls.ofHeartbeats(database, dynamoDb, TABLE, this.locks);
			round(dynamoDb, "warm-up-", meter, bare, new CycleUsage(), new CycleUsage());
			CycleUsage held = new CycleUsage();
			CycleUsage sent = new CycleUsage();
			for (int round = 0; round < this.rounds; round++) {
				round(dynamoDb, "held-" + round + "-", meter, bare, held, sent);
			}
			double ratio = held.cpuMicros() / sent.cpuMicros();
			double each = held.perSecond() * PERIOD_SECONDS / this.locks;
			return List.of(
					new Figure("heartbeats of each held lock in a period", String.format(Locale.ROOT, "%.2f", each),
							"from " + LEAST_HEARTBEATS + " to " + MOST_HEARTBEATS,
							each >= LEAST_HEARTBEATS && each <= MOST_HEARTBEATS),
					new Figure("CPU of a heartbeat of " + this.locks + " held locks", String.format(Locale.ROOT,
							"%.3f x the bare SDK; medians of %d turns: %.0f us, bare %.0f us; %.0f and %.0f a second",
							ratio, held.turns(), held.cpuMicros(), sent.cpuMicros(), held.perSecond(),
							sent.perSecond()), "at most " + MOST_CPU, ratio <= MOST_CPU));
		}
	}

	private void round(DynamoDbClient dynamoDb, String prefix, CallMeter meter, BareCalls bare, CycleUsage held,
			CycleUsage sent) throws InterruptedException {
		LockClient client = LockClient.builder(dynamoDb).tableName(TABLE).build();
		try {
			Workers.run(THREADS, (first) -> {
				for (int number = first; number < this.locks; number += THREADS) {
					client.acquire(prefix + number);
				}
			});
			turn(meter, held, () -> Thread.sleep(this.turn.toMillis()));
		}
		finally {
			client.closeWithoutReleasing();
		}
		double perSecond = held.perSecond();
		turn(meter, sent, () -> Workers.run(THREADS, (first) -> send(bare, first, perSecond / THREADS)));
	}

	private static void turn(CallMeter meter, CycleUsage usage, Turn turn) throws InterruptedException {
		long callsBefore = meter.calls();
		ProcessUsage before = ProcessUsage.now();
		long began = System.nanoTime();
		turn.run();
		long nanos = System.nanoTime() - began;
		long calls = meter.calls() - callsBefore;
		usage.addTurn(Math.toIntExact(calls), calls, nanos, before, ProcessUsage.now());
	}

	private void send(BareCalls bare, int first, double perSecond) throws InterruptedException {
		long began = System.nanoTime();
		int key = first;
		for (int sent = 0; System.nanoTime() - began < this.turn.toNanos();) {
			if (sent < Units.seconds(System.nanoTime() - began) * perSecond) {
				bare.send(key);
				key = (key + THREADS < this.locks) ? key + THREADS : first;
				sent++;
			}
			else {
				Thread.sleep(STEP_MILLIS);
			}
		}
	}

	/**
	 * What is measured.
	 */
	private interface Turn {

		void run() throws InterruptedException;

	}

}
