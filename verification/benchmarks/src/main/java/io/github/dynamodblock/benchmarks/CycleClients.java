/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import io.awspring.cloud.dynamodb.DynamoDbLockRegistry;
import io.awspring.cloud.dynamodb.DynamoDbLockRepository;
import io.github.dynamodblock.LockClient;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The bare SDK, the lock client and its peers, with their default settings, on one
 * database and each on its own items. They share one client of the SDK, so that they have
 * the same connections; Spring's registry alone needs an asynchronous one.
 */
final class CycleClients implements AutoCloseable {

	static final String SHEDLOCK_KEY = "_id";

	private static final String TABLE = "benchmark-clients";

	private static final String SHEDLOCK_TABLE = "benchmark-clients-shedlock";

	private static final String SERVICE_TABLE = "benchmark-clients-service";

	private static final String SPRING_TABLE = "benchmark-clients-spring";

	private static final Duration LOCK_AT_MOST_FOR = Duration.ofSeconds(20);

	/** The lock client's limit of a call, which is a quarter of its default lease. */
	private static final Duration CALL_LIMIT = Duration.ofSeconds(5);

	private final CallMeter meter = new CallMeter();

	private final DynamoDbClient dynamoDb;

	private final DynamoDbAsyncClient asyncDynamoDb;

	private final LockClient locks;

	private final DynamoDbLockRepository springRepository;

	private final AmazonDynamoDBLockClient aws;

	private final List<CycleClient> all;

	/**
	 * @param database where the tables are; those that are missing are created
	 * @param workers how many workers call, at most
	 * @param latency added to each call, or none
	 * @throws InterruptedException if this thread is interrupted
	 */
	CycleClients(DatabaseProcess database, int workers, ExecutionInterceptor... latency) throws InterruptedException {
		database.createTable(TABLE);
		database.createTable(SHEDLOCK_TABLE, SHEDLOCK_KEY);
		database.createTable(SERVICE_TABLE, LockServiceCentralCycles.KEY);
		ExecutionInterceptor[] interceptors = Stream.concat(Stream.of(this.meter), Stream.of(latency))
			.toArray(ExecutionInterceptor[]::new);
		this.dynamoDb = database.newFastClient(interceptors);
		this.asyncDynamoDb = database.newFastAsyncClient(interceptors);
		BareCycles bare = BareCycles.record(database, this.dynamoDb, TABLE, workers, null);
		BareCycles limited = BareCycles.record(database, this.dynamoDb, TABLE, workers, CALL_LIMIT);
		this.locks = LockClient.builder(this.dynamoDb).tableName(TABLE).build();
		LockServiceCentralCycles service = new LockServiceCentralCycles(this.dynamoDb, SERVICE_TABLE);
		LockProvider shedLock = new DynamoDBLockProvider(this.dynamoDb, SHEDLOCK_TABLE);
		this.springRepository = new DynamoDbLockRepository(this.asyncDynamoDb, SPRING_TABLE);
		this.springRepository.afterPropertiesSet();
		// It creates the table in the background; any call waits for that.
		this.springRepository.isAcquired("none");
		DynamoDbLockRegistry spring = new DynamoDbLockRegistry(this.springRepository);
		this.aws = new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(this.dynamoDb, TABLE)
			.withCreateHeartbeatBackgroundThread(true)
			.build());
		this.all = List.of(new CycleClient("bare SDK", bare::cycle),
				new CycleClient("bare SDK, with a time limit", limited::cycle),
				new CycleClient(CycleClient.LOCKS, (worker) -> this.locks.acquire("lock-" + worker).release()),
				new CycleClient("LockServiceCentral's calls", service::cycle),
				new CycleClient("ShedLock", (worker) -> cycle(shedLock, worker)),
				new CycleClient("Spring's registry", (worker) -> cycle(spring.obtain("spring-" + worker))),
				new CycleClient("AWS lock client", (worker) -> cycle(this.aws, worker)));
	}

	private static void cycle(LockProvider shedLock, int worker) {
		shedLock.lock(new LockConfiguration(Instant.now(), "shedlock-" + worker, LOCK_AT_MOST_FOR, Duration.ZERO))
			.orElseThrow()
			.unlock();
	}

	private static void cycle(Lock lock) throws InterruptedException {
		lock.lockInterruptibly();
		lock.unlock();
	}

	private static void cycle(AmazonDynamoDBLockClient aws, int worker) throws InterruptedException {
		aws.acquireLock(AcquireLockOptions.builder("aws-" + worker).build()).close();
	}

	/** The bare SDK without and with a time limit, the lock client, then its peers. */
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
		try {
			this.locks.close();
			this.springRepository.close();
			this.aws.close();
			this.asyncDynamoDb.close();
			this.dynamoDb.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
