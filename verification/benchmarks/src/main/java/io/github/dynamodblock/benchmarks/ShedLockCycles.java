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
 * ShedLock's provider for DynamoDB, without the scheduler around it.
 */
final class ShedLockCycles implements CycleClient {

	static final String KEY = "_id";

	private static final Duration LOCK_AT_MOST_FOR = Duration.ofSeconds(20);

	private final LockProvider provider;

	ShedLockCycles(DynamoDbClient dynamoDb, String table) {
		this.provider = new DynamoDBLockProvider(dynamoDb, table);
	}

	@Override
	public String name() {
		return "ShedLock";
	}

	@Override
	public void cycle(int worker) {
		this.provider.lock(new LockConfiguration(Instant.now(), "shedlock-" + worker, LOCK_AT_MOST_FOR, Duration.ZERO))
			.orElseThrow()
			.unlock();
	}

}
