/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Calls of a holder beside less important calls of the same lock client, more of which
 * wait or hang than the client sends at a time.
 */
final class BesideBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-beside";

	/** So much that the slots of the client are full before the processors are. */
	private static final Duration LATENCY = Duration.ofMillis(100);

	private static final Duration LEASE = Duration.ofMinutes(1);

	private static final Duration WAIT = Duration.ofMinutes(5);

	/** Shorter than the time limit of a call, so that no read fails. */
	private static final Duration HANG = Duration.ofSeconds(4);

	private static final long PAUSE_MILLIS = 5;

	private static final double MOST_RATIO = 1.5;

	/** As many as the client sends at a time; it leaves slots free for releases. */
	private static final int READS = 25;

	private static final int READS_AT_A_TIME = 20;

	private static final double MOST_RELEASE_MILLIS = 100;

	private final int waiters;

	private final int rounds;

	private final int calls;

	/**
	 * @param waiters how many acquisitions wait
	 * @param rounds how many turns writes have, alone and beside waiters, after one to
	 * warm up
	 * @param calls how many writes a turn has, and how many locks are released
	 */
	BesideBenchmark(int waiters, int rounds, int calls) {
		this.waiters = waiters;
		this.rounds = rounds;
		this.calls = calls;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		List<Figure> figures = new ArrayList<>();
		try (DynamoDbClient otherDynamoDb = database.newFastClient();
				DynamoDbClient dynamoDb = database.newFastClient(new AddedLatency(LATENCY, SdkRequest.class));
				LockClient other = newClient(otherDynamoDb);
				LockClient client = newClient(dynamoDb);
				HeldLock lock = client.acquire("written")) {
			for (int i = 0; i < this.waiters; i++) {
				other.acquire("other-" + i);
			}
			figures.add(writes(client, lock));
		}
		figures.add(release(database));
		return figures;
	}

	private static LockClient newClient(DynamoDbClient dynamoDb) {
		return LockClient.builder(dynamoDb).tableName(TABLE).leaseDuration(LEASE).build();
	}

	private Figure writes(LockClient client, HeldLock lock) throws InterruptedException {
		Samples alone = new Samples();
		Samples beside = new Samples();
		round(client, lock, new Samples(), new Samples());
		for (int round = 0; round < this.rounds; round++) {
			round(client, lock, alone, beside);
		}
		double ratio = beside.median() / alone.median();
		return new Figure("guarded write beside " + this.waiters + " waiters for other locks",
				String.format(Locale.ROOT, "%.2f x alone; medians of %d: %.1f ms, alone %.1f ms", ratio, beside.size(),
						beside.median(), alone.median()),
				"at most " + MOST_RATIO, ratio <= MOST_RATIO);
	}

	private void round(LockClient client, HeldLock lock, Samples alone, Samples beside) throws InterruptedException {
		write(lock, alone);
		List<CompletableFuture<HeldLock>> waiters = IntStream.range(0, this.waiters)
			.mapToObj((number) -> client.acquireAsync(LockRequest.of("other-" + number).waitTime(WAIT)))
			.toList();
		awaitWaiting(client, this.waiters);
		write(lock, beside);
		waiters.forEach((waiter) -> waiter.cancel(true));
		awaitWaiting(client, 0);
	}

	private void write(HeldLock lock, Samples millis) throws InterruptedException {
		TransactWriteItem put = TransactWriteItem.builder()
			.put(Put.builder().tableName(TABLE).item(Map.of("key", AttributeValue.fromS("data"))).build())
			.build();
		for (int i = 0; i < this.calls; i++) {
			long began = System.nanoTime();
			lock.transactWrite(List.of(put));
			millis.add(Units.millisSince(began));
		}
	}

	/** An acquisition counts as waiting after its first call. */
	private static void awaitWaiting(LockClient client, int waiters) throws InterruptedException {
		while (client.waiting().size() != waiters) {
			Thread.sleep(PAUSE_MILLIS);
		}
	}

	private Figure release(DatabaseProcess database) throws InterruptedException {
		CallMeter meter = new CallMeter();
		Samples millis = new Samples();
		try (DynamoDbClient dynamoDb = database.newClient(meter, new AddedLatency(HANG, GetItemRequest.class));
				LockClient client = newClient(dynamoDb)) {
			List<HeldLock> held = new ArrayList<>();
			for (int i = 0; i < this.calls; i++) {
				held.add(client.acquire("released-" + i));
			}
			meter.reset();
			Workers.run(1 + READS, (number) -> {
				if (number > 0) {
					client.find("read-" + number);
					return;
				}
				while (meter.calls() < READS_AT_A_TIME) {
					Thread.sleep(PAUSE_MILLIS);
				}
				for (HeldLock lock : held) {
					long began = System.nanoTime();
					lock.release();
					millis.add(Units.millisSince(began));
				}
			});
		}
		return new Figure("release beside " + READS + " reads that hang",
				String.format(Locale.ROOT, "at most %.1f ms, median of %d %.1f ms", millis.greatest(), millis.size(),
						millis.median()),
				String.format(Locale.ROOT, "at most %.0f ms", MOST_RELEASE_MILLIS),
				millis.greatest() <= MOST_RELEASE_MILLIS);
	}

}
