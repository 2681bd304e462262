/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.LockWrite.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * Writes as most tests send them.
 */
final class Writes {

	private Writes() {
	}

	/** Acquires a free lock, or takes one over; data comes from the wanted record. */
	static LockWrite.Claim claim(LockRecord wanted, long seed, @Nullable Instant expiresAt, @Nullable String expired) {
		ItemChange change = wanted.data().map(ItemChange.none()::data).orElse(ItemChange.none().removeData());
		return new LockWrite.Claim(wanted, change, Precondition.FREE.orVersion(expired), seed,
				new Timestamps(null, expiresAt, null), false);
	}

	static LockWrite.Renew renew(LockKey key, String version, String expected, Duration lease,
			@Nullable Instant expiresAt) {
		return new LockWrite.Renew(key, version, expected, lease, ItemChange.none(),
				new Timestamps(null, expiresAt, null));
	}

	static LockWrite.Release release(LockKey key, String version, Set<String> expected, @Nullable Instant expiresAt,
			boolean deleteItem) {
		return new LockWrite.Release(key, version, expected, deleteItem, ItemChange.none(), expiresAt);
	}

}
