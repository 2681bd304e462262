/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.dynamodblock.benchmarks.LockingClient.Library;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The bare SDK, the lock client and its peers, with their default settings, on one
 * database and each on its own table.
 */
final class CycleClients implements AutoCloseable {

	private static final String TABLE = "benchmark-cycles-";

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Duration WAIT = Duration.ofMinutes(1);

	private final CallMeter meter = new CallMeter();

	private final DynamoDbClient dynamoDb;

	private final List<LockingClient> opened = new ArrayList<>();

	private final List<CycleClient> all = new ArrayList<>();

	/**
	 * @param database where the tables are; those that are missing are created
	 * @param workers how many workers call, at most
	 * @param latency added to each call, or none
	 * @throws InterruptedException if this thread is interrupted
	 */
	CycleClients(DatabaseProcess database, int workers, ExecutionInterceptor... latency) throws InterruptedException {
		ExecutionInterceptor[] interceptors = Stream.concat(Stream.of(this.meter), Stream.of(latency))
			.toArray(ExecutionInterceptor[]::new);
		for (int i = 0; i < Libraries.ALL.size(); i++) {
			Library library = Libraries.ALL.get(i);
			LockingClient client = library.open(database, TABLE + i, LEASE, interceptors);
			this.opened.add(client);
			this.all.add(new CycleClient(library.name(), (worker) -> client.mustAcquire("lock-" + worker, WAIT).run()));
		}
		this.dynamoDb = database.newFastClient(interceptors);
		// The lock client's table is the first.
		BareCalls bare = BareCalls.ofCycles(database, this.dynamoDb, TABLE + 0, workers, false);
		BareCalls limited = BareCalls.ofCycles(database, this.dynamoDb, TABLE + 0, workers, true);
		this.all.add(0, new CycleClient(CycleClient.BARE, bare::cycle));
		this.all.add(1, new CycleClient("bare SDK, with time limits", limited::cycle));
	}

	/** The bare SDK without and with time limits, the lock client, then its peers. */
	List<CycleClient> all() {
		return this.all;
	}

	List<CycleClient> bareAndLocks() {
		return List.of(this.all.get(0), this.all.get(2));
	}

	/** Counts what all of them send. */
	CallMeter meter() {
		return this.meter;
	}

	@Override
	public void close() {
		this.opened.forEach(LockingClient::close);
		this.dynamoDb.close();
	}

}
