/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.List;
import java.util.stream.Stream;

import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The bare SDK, the lock client and its peers, on one database and each on its own items.
 * They share one client of the SDK, so that they have the same connections; Spring's
 * registry alone needs an asynchronous one.
 */
final class CycleClients implements AutoCloseable {

	private static final String TABLE = "benchmark-clients";

	private static final String SHEDLOCK_TABLE = "benchmark-clients-shedlock";

	private static final String SERVICE_TABLE = "benchmark-clients-service";

	private static final String SPRING_TABLE = "benchmark-clients-spring";

	private final CallMeter meter = new CallMeter();

	private final DynamoDbClient dynamoDb;

	private final BareCycles bare;

	private final LockCycles locks;

	private final List<CycleClient> all;

	/**
	 * @param database where the tables are; those that are missing are created
	 * @param workers how many workers call, at most
	 * @param latency added to each call, or none
	 * @throws InterruptedException if this thread is interrupted
	 */
	CycleClients(DatabaseProcess database, int workers, ExecutionInterceptor... latency) throws InterruptedException {
		database.createTable(TABLE);
		database.createTable(SHEDLOCK_TABLE, ShedLockCycles.KEY);
		database.createTable(SERVICE_TABLE, LockServiceCentralCycles.KEY);
		ExecutionInterceptor[] interceptors = Stream.concat(Stream.of(this.meter), Stream.of(latency))
			.toArray(ExecutionInterceptor[]::new);
		this.dynamoDb = database.newFastClient(interceptors);
		this.bare = BareCycles.record(database, this.dynamoDb, TABLE, workers);
		this.locks = new LockCycles(this.dynamoDb, TABLE);
		this.all = List.of(this.bare, this.locks, new LockServiceCentralCycles(this.dynamoDb, SERVICE_TABLE),
				new ShedLockCycles(this.dynamoDb, SHEDLOCK_TABLE),
				new SpringRegistryCycles(database.newFastAsyncClient(interceptors), SPRING_TABLE),
				new AwsCycles(this.dynamoDb, TABLE));
	}

	/** The bare SDK first, then the lock client, then its peers. */
	List<CycleClient> all() {
		return this.all;
	}

	List<CycleClient> bareAndLocks() {
		return List.of(this.bare, this.locks);
	}

	/** Counts what all of them send. */
	CallMeter meter() {
		return this.meter;
	}

	@Override
	public void close() {
		this.all.forEach(CycleClient::close);
		this.dynamoDb.close();
	}

}
