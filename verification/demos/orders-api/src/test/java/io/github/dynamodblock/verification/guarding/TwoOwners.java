/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.guarding;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * An owner that has lost its lock without noticing it, as after a pause, and the next
 * one. An administrator's release replaces the end of the lease.
 */
final class TwoOwners implements AutoCloseable {

	private static final LockKey ORDER = LockKey.of("order-1");

	private final DynamoDbClient dynamoDb = InMemoryDynamoDb.withLockTable("locks");

	private final LockClient one = LockClient.builder(this.dynamoDb).ownerName("one").build();

	private final LockClient two = LockClient.builder(this.dynamoDb).ownerName("two").build();

	private final HeldLock former = this.one.acquire(ORDER);

	TwoOwners() throws InterruptedException {
	}

	/** The lock of the first owner. */
	HeldLock former() {
		return this.former;
	}

	/** Lets the second owner acquire the lock. */
	HeldLock next() throws InterruptedException {
		this.two.forceRelease(ORDER, this.two.find(ORDER).orElseThrow().ownerName());
		return this.two.acquire(ORDER);
	}

	@Override
	public void close() {
		this.one.close();
		this.two.close();
	}

}
