/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import io.github.dynamodblock.faults.checker.GuardedWrite.Outcome;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * A lock client whose holders never notice that they lose a lock, and write without a
 * guard.
 */
final class UnawareLocks implements Locks {

	private final Locks locks;

	private final DynamoDbClient dynamoDb;

	UnawareLocks(Locks locks, DynamoDbClient dynamoDb) {
		this.locks = locks;
		this.dynamoDb = dynamoDb;
	}

	@Override
	public @Nullable Held acquire(Attempt attempt, Losses losses) throws InterruptedException, LockingFailedException {
		Held held = this.locks.acquire(attempt, losses);
		return (held != null) ? new UnawareHeld(held, this.dynamoDb) : null;
	}

	@Override
	public void close() {
		this.locks.close();
	}

	private record UnawareHeld(Held held, DynamoDbClient dynamoDb) implements Held {

		@Override
		public @Nullable Long token() {
			return this.held.token();
		}

		@Override
		public boolean isHeld() {
			return true;
		}

		@Override
		public Outcome write(Update update, boolean composed) {
			return CounterWrites.unguarded(this.dynamoDb, update);
		}

		@Override
		public String release() throws LockingFailedException {
			return this.held.release();
		}

	}

}
