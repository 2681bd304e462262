/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
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
	 * Takes the lock if a precondition holds: it is free, or its lease was seen to end (a
	 * takeover).
	 *
	 * @param wanted the record as it is to be, without fencing token, data and attributes
	 * @param change what happens to data and attributes
	 * @param precondition when the lock may be taken
	 * @param tokenSeed what the first fencing token of an item without one exceeds
	 * @param timestamps what it says by the wall clock
	 */
	record Claim(LockRecord wanted, ItemChange change, Precondition precondition, long tokenSeed,
			Timestamps timestamps) implements LockWrite {

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
	 * @param change what happens to data and attributes
	 * @param timestamps what it says by the wall clock
	 */
	record Renew(LockKey key, String recordVersionNumber, String expected, Duration leaseDuration, ItemChange change,
			Timestamps timestamps) implements LockWrite {
	}

	/**
	 * Frees the lock if it has one of the expected record version numbers.
	 *
	 * @param key the lock
	 * @param recordVersionNumber the fresh record version number
	 * @param expected every record version number under which the releaser may hold it
	 * @param freeing how
	 */
	record Release(LockKey key, String recordVersionNumber, Set<String> expected,
			Freeing freeing) implements LockWrite {
	}

	/**
	 * Frees the lock in the name of its owner, whatever its record version number.
	 *
	 * @param key the lock
	 * @param recordVersionNumber the fresh record version number
	 * @param expectedOwner who must hold it
	 * @param freeing how
	 */
	record ForcedRelease(LockKey key, String recordVersionNumber, String expectedOwner,
			Freeing freeing) implements LockWrite {
	}

	/**
	 * How a lock is freed.
	 *
	 * @param deleteItem whether to delete the item instead of keeping it as released
	 * @param change what happens to data and attributes of an item that is kept
	 * @param expiresAt when DynamoDB may delete the item, or {@code null}
	 */
	record Freeing(boolean deleteItem, ItemChange change, @Nullable Instant expiresAt) {
	}

}
