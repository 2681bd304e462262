/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.model.LockCurrentlyUnavailableException;
import io.awspring.cloud.dynamodb.DynamoDbLockRegistry;
import io.awspring.cloud.dynamodb.DynamoDbLockRepository;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.benchmarks.LockingClient.Attempts;
import io.github.dynamodblock.benchmarks.LockingClient.Library;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The lock client and its peers, with their default settings unless the name says
 * otherwise.
 */
final class Libraries {

	static final String SHEDLOCK_KEY = "_id";

	static final Library LOCKS = new Library("dynamodb-lock", Libraries::locks);

	/** Its code runs in a server only, so its calls are written here. */
	static final Library SERVICE = new Library("LockServiceCentral's calls", Libraries::service);

	/** Only the provider: the scheduler around it is not measured. */
	static final Library SHEDLOCK = new Library("ShedLock", Libraries::shedLock);

	static final Library SPRING = new Library("Spring's registry", Libraries::spring);

	static final Library AWS = new Library("AWS lock client",
			(database, table, lease, interceptors) -> aws(Duration.ofSeconds(1), database, table, lease, interceptors));

	/** Its default of a second costs it speed if many threads wait. */
	static final Library AWS_FAST = new Library("AWS, 100 ms polls", (database, table, lease,
			interceptors) -> aws(Duration.ofMillis(100), database, table, lease, interceptors));

	static final List<Library> ALL = List.of(LOCKS, SERVICE, SHEDLOCK, SPRING, AWS);

	/** All, and the AWS lock client a second time. */
	static final List<Library> WAITING = List.of(LOCKS, SERVICE, SHEDLOCK, SPRING, AWS, AWS_FAST);

	/** Spring's registry pauses for as long by default. */
	private static final Duration RETRY_PERIOD = Duration.ofMillis(100);

	private static final int HEARTBEATS_OF_A_LEASE = 4;

	private Libraries() {
	}

	private static LockingClient locks(DatabaseProcess database, String table, Duration lease,
			ExecutionInterceptor... interceptors) {
		database.createTable(table);
		DynamoDbClient dynamoDb = database.newFastClient(interceptors);
		LockClient client = LockClient.builder(dynamoDb).tableName(table).leaseDuration(lease).build();
		return new LockingClient((key, wait) -> client.tryAcquire(key, wait).map((lock) -> lock::release), client,
				dynamoDb);
	}

	private static LockingClient service(DatabaseProcess database, String table, Duration lease,
			ExecutionInterceptor... interceptors) {
		database.createTable(table, LockServiceCentralCalls.KEY);
		DynamoDbClient dynamoDb = database.newFastClient(interceptors);
		LockServiceCentralCalls calls = new LockServiceCentralCalls(dynamoDb, table, lease);
		return new LockingClient(retried((key) -> calls.acquire(key)), dynamoDb);
	}

	private static LockingClient shedLock(DatabaseProcess database, String table, Duration lease,
			ExecutionInterceptor... interceptors) {
		database.createTable(table, SHEDLOCK_KEY);
		DynamoDbClient dynamoDb = database.newFastClient(interceptors);
		LockProvider provider = new DynamoDBLockProvider(dynamoDb, table);
		return new LockingClient(retried((key) -> {
			Optional<SimpleLock> lock = provider.lock(new LockConfiguration(Instant.now(), key, lease, Duration.ZERO));
			return lock.map((held) -> held::unlock);
		}), dynamoDb);
	}

	private static LockingClient spring(DatabaseProcess database, String table, Duration lease,
			ExecutionInterceptor... interceptors) {
		DynamoDbAsyncClient dynamoDb = database.newFastAsyncClient(interceptors);
		DynamoDbLockRepository repository = new DynamoDbLockRepository(dynamoDb, table);
		// It creates the table in the background, and fails if another one does so at the
		// same time; any call waits for that.
		synchronized (Libraries.class) {
			repository.afterPropertiesSet();
			repository.isAcquired("none");
		}
		DynamoDbLockRegistry registry = new DynamoDbLockRegistry(repository);
		registry.setTimeToLive(lease);
		return new LockingClient((key, wait) -> {
			Lock lock = registry.obtain(key);
			return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS) ? Optional.of(lock::unlock) : Optional.empty();
		}, repository, dynamoDb);
	}

	private static LockingClient aws(Duration polls, DatabaseProcess database, String table, Duration lease,
			ExecutionInterceptor... interceptors) {
		database.createTable(table);
		DynamoDbClient dynamoDb = database.newFastClient(interceptors);
		AmazonDynamoDBLockClient client = new AmazonDynamoDBLockClient(
				AmazonDynamoDBLockClientOptions.builder(dynamoDb, table)
					.withTimeUnit(TimeUnit.MILLISECONDS)
					.withLeaseDuration(lease.toMillis())
					.withHeartbeatPeriod(lease.toMillis() / HEARTBEATS_OF_A_LEASE)
					.withCreateHeartbeatBackgroundThread(true)
					.build());
		return new LockingClient((key, wait) -> {
			try {
				return client
					.tryAcquireLock(AcquireLockOptions.builder(key)
						.withTimeUnit(TimeUnit.MILLISECONDS)
						.withRefreshPeriod(polls.toMillis())
						.withAdditionalTimeToWaitForLock(wait.toMillis())
						.withShouldSkipBlockingWait(wait.isZero())
						.build())
					.map((lock) -> lock::close);
			}
			catch (LockCurrentlyUnavailableException ex) {
				return Optional.empty();
			}
		}, client, dynamoDb);
	}

	/** What users of a library without waiting write around it. */
	private static Attempts retried(Attempt attempt) {
		return (key, wait) -> {
			long end = System.nanoTime() + wait.toNanos();
			Optional<Runnable> lock = attempt.acquire(key);
			while (lock.isEmpty() && System.nanoTime() - end < 0) {
				Thread.sleep(RETRY_PERIOD.toMillis());
				lock = attempt.acquire(key);
			}
			return lock;
		};
	}

	/**
	 * One try to acquire a lock.
	 */
	private interface Attempt {

		Optional<Runnable> acquire(String key);

	}

}
