/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.LockClient;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Acquire and release of a lock that nobody else wants, beside the same two requests sent
 * with the SDK alone.
 *
 * <p>
 * The bare requests are those that the lock client sent, with its time limit and on
 * another key: they apply again and again, since the second frees what the first took.
 * They are sent as they are, so that the bare SDK is not even charged for building them.
 * The measurements take turns, so that what slows the machine slows them all.
 */
final class CycleBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-cycle";

	private static final double MOST = 1.05;

	private static final int WARM_UP = 3;

	private final int rounds;

	CycleBenchmark(int rounds) {
		this.rounds = rounds;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		CallMeter meter = new CallMeter();
		SentUpdates sent = new SentUpdates();
		try (DynamoDbClient fast = database.newFastClient(meter, sent)) {
			// Compiled code is measured, and that takes some thousand rounds.
			run(fast, sent, meter, WARM_UP * this.rounds);
		}
		try (DynamoDbClient dynamoDb = database.newClient(meter, sent)) {
			return run(dynamoDb, sent, meter, this.rounds).figures();
		}
	}

	private static Cycles run(DynamoDbClient dynamoDb, SentUpdates sent, CallMeter meter, int rounds)
			throws InterruptedException {
		try (LockClient locks = LockClient.builder(dynamoDb).tableName(TABLE).build()) {
			locks.acquire("cycle").release();
			List<UpdateItemRequest> limited = sent.onKey("bare");
			List<UpdateItemRequest> unlimited = limited.stream().map(CycleBenchmark::withoutLimit).toList();
			Cycles cycles = new Cycles(dynamoDb, locks, limited, unlimited, meter);
			for (int round = 0; round < rounds; round++) {
				cycles.run(round);
			}
			return cycles;
		}
	}

	private static UpdateItemRequest withoutLimit(UpdateItemRequest request) {
		return request.toBuilder().overrideConfiguration((override) -> override.apiCallTimeout(null)).build();
	}

	/**
	 * The first requests that were sent: those of one cycle.
	 */
	private static final class SentUpdates implements ExecutionInterceptor {

		private final List<UpdateItemRequest> requests = new CopyOnWriteArrayList<>();

		@Override
		public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
			if (this.requests.size() < 2 && context.request() instanceof UpdateItemRequest update) {
				this.requests.add(update);
			}
		}

		List<UpdateItemRequest> onKey(String key) {
			return this.requests.stream()
				.map((request) -> request.toBuilder().key(Map.of("key", AttributeValue.fromS(key))).build())
				.toList();
		}

	}

	/**
	 * One cycle of each kind at a time.
	 */
	private static final class Cycles {

		private final DynamoDbClient dynamoDb;

		private final LockClient locks;

		private final List<UpdateItemRequest> limited;

		private final List<UpdateItemRequest> unlimited;

		private final CallMeter meter;

		private long calls;

		private final Samples lockMillis = new Samples();

		private final Samples limitedMillis = new Samples();

		private final Samples unlimitedMillis = new Samples();

		Cycles(DynamoDbClient dynamoDb, LockClient locks, List<UpdateItemRequest> limited,
				List<UpdateItemRequest> unlimited, CallMeter meter) {
			this.dynamoDb = dynamoDb;
			this.locks = locks;
			this.limited = limited;
			this.unlimited = unlimited;
			this.meter = meter;
		}

		/** In another order each time, since one call leaves its traces for the next. */
		void run(int round) throws InterruptedException {
			for (int turn = 0; turn < 3; turn++) {
				switch ((round + turn) % 3) {
					case 0 -> lock();
					case 1 -> bare(this.limited, this.limitedMillis);
					default -> bare(this.unlimited, this.unlimitedMillis);
				}
			}
		}

		private void lock() throws InterruptedException {
			long callsBefore = this.meter.calls();
			long began = System.nanoTime();
			this.locks.acquire("cycle").release();
			this.lockMillis.add(Units.millisSince(began));
			this.calls += this.meter.calls() - callsBefore;
		}

		private void bare(List<UpdateItemRequest> requests, Samples millis) {
			long began = System.nanoTime();
			requests.forEach(this.dynamoDb::updateItem);
			millis.add(Units.millisSince(began));
		}

		List<Figure> figures() {
			double callsEach = (double) this.calls / this.lockMillis.size();
			double cycle = this.lockMillis.median();
			double ratio = cycle / this.limitedMillis.median();
			String measured = String.format(Locale.ROOT,
					"%.3f x the bare SDK; medians of %d: %.2f ms, bare %.2f ms, bare without time limit %.2f ms", ratio,
					this.lockMillis.size(), cycle, this.limitedMillis.median(), this.unlimitedMillis.median());
			return List.of(
					new Figure("cycle calls", String.format(Locale.ROOT, "%.2f", callsEach), "2", callsEach == 2),
					new Figure("cycle time", measured, "at most " + MOST, ratio <= MOST));
		}

	}

}
