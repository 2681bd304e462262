/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import io.github.dynamodblock.faults.checker.GuardedWrite.Outcome;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Grants everything at once to everybody, always with the same token.
 */
final class NoLocks implements Locks {

	private final DynamoDbClient dynamoDb;

	NoLocks(DynamoDbClient dynamoDb) {
		this.dynamoDb = dynamoDb;
	}

	@Override
	public Held acquire(Attempt attempt, Losses losses) {
		return new NothingHeld(this.dynamoDb);
	}

	@Override
	public void close() {
		// There is nothing to end.
	}

	private record NothingHeld(DynamoDbClient dynamoDb) implements Held {

		@Override
		public Long token() {
			return 1L;
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
		public String release() {
			return "RELEASED";
		}

	}

}
