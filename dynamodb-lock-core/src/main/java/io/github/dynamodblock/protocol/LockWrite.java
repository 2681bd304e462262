/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;

/**
 * One conditional write to a lock's item. Each carries a record version number that no
 * other write carries, by which its effect is recognised later.
 */
public sealed interface LockWrite {

	/**
	 * The lock.
	 * @return the key
	 */
	LockKey key();

	/**
	 * The record version number that the item has if the write is applied.
	 * @return the fresh record version number
	 */
	String recordVersionNumber();

	/**
	 * Takes the lock if it has no item, is released, or still has the record version
	 * number whose lease was seen to end (a takeover).
	 *
	 * @param wanted the record as it is to be, without fencing token
	 * @param tokenSeed what the first fencing token of an item without one exceeds
	 * @param expiresAt when DynamoDB may delete the item, or {@code null}
	 * @param expired the record version number whose lease has ended, or {@code null}
	 */
	record Claim(LockRecord wanted, long tokenSeed, @Nullable Instant expiresAt,
			@Nullable String expired) implements LockWrite {

		@Override
		public LockKey key() {
			return this.wanted.key();
		}

		@Override
		public String recordVersionNumber() {
			return this.wanted.recordVersionNumber();
		}

	}

	/**
	 * A heartbeat: keeps the lock if it still has the expected record version number.
	 *
	 * @param key the lock
	 * @param recordVersionNumber the fresh record version number
	 * @param expected the last acknowledged record version number
	 * @param leaseDuration the lease from now on
	 * @param expiresAt when DynamoDB may delete the item, or {@code null}
	 */
	record Renew(LockKey key, String recordVersionNumber, String expected, Duration leaseDuration,
			@Nullable Instant expiresAt) implements LockWrite {
	}

	/**
	 * Frees the lock if it has one of the expected record version numbers.
	 *
	 * @param key the lock
	 * @param recordVersionNumber the fresh record version number
	 * @param expected every record version number under which the releaser may hold it
	 * @param expiresAt when DynamoDB may delete the item, or {@code null}
	 * @param deleteItem whether to delete the item instead of keeping it as released
	 */
	record Release(LockKey key, String recordVersionNumber, Set<String> expected, @Nullable Instant expiresAt,
			boolean deleteItem) implements LockWrite {
	}

}
