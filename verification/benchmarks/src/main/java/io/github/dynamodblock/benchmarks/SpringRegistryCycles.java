/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.concurrent.locks.Lock;

import io.awspring.cloud.dynamodb.DynamoDbLockRegistry;
import io.awspring.cloud.dynamodb.DynamoDbLockRepository;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Spring Cloud AWS's lock registry with its default settings. It sends with the SDK's
 * asynchronous client, which has an event loop of its own.
 */
final class SpringRegistryCycles implements CycleClient {

	private final DynamoDbAsyncClient dynamoDb;

	private final DynamoDbLockRepository repository;

	private final DynamoDbLockRegistry registry;

	/**
	 * Creates the table if there is none.
	 * @param dynamoDb sends the calls, and is closed with this client
	 * @param table the table's name
	 */
	SpringRegistryCycles(DynamoDbAsyncClient dynamoDb, String table) {
		this.dynamoDb = dynamoDb;
		this.repository = new DynamoDbLockRepository(dynamoDb, table);
		this.repository.afterPropertiesSet();
		// It creates the table in the background; any call waits for that.
		this.repository.isAcquired("none");
		this.registry = new DynamoDbLockRegistry(this.repository);
	}

	@Override
	public String name() {
		return "Spring's registry";
	}

	@Override
	public void cycle(int worker) throws InterruptedException {
		Lock lock = this.registry.obtain("spring-" + worker);
		lock.lockInterruptibly();
		lock.unlock();
	}

	@Override
	public void close() {
		this.repository.close();
		this.dynamoDb.close();
	}

}
