/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.time.Instant;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A job under ShedLock, which holds the lock longer than the nodes' clocks differ.
 */
final class ShedLockJob implements JobRunner {

	private static final Duration LOCK_AT_MOST_FOR = Duration.ofSeconds(30);

	private static final Duration LOCK_AT_LEAST_FOR = Duration.ofSeconds(2);

	private final LockProvider provider;

	private final String job;

	ShedLockJob(DynamoDbClient dynamoDb, String table, String job) {
		this.provider = new DynamoDBLockProvider(dynamoDb, table);
		this.job = job;
	}

	@Override
	public void tick(Instant now, Runnable body) {
		this.provider.lock(new LockConfiguration(Instant.now(), this.job, LOCK_AT_MOST_FOR, LOCK_AT_LEAST_FOR))
			.ifPresent((lock) -> {
				try {
					body.run();
				}
				finally {
					lock.unlock();
				}
			});
	}

	@Override
	public void close() {
		// It has opened nothing.
	}

}
