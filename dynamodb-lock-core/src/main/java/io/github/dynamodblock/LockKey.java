/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Identifies a lock: the partition key of its item and, in a table with a sort key, the
 * sort key. Immutable and thread-safe.
 *
 * <pre>{@code
 * HeldLock lock = client.acquire(LockKey.of("orders", "42"));
 * }</pre>
 *
 * @param partition the partition key's value: not empty, at most 2,048 bytes in UTF-8
 * @param sort the sort key's value: not empty, at most 1,024 bytes in UTF-8; {@code null}
 * for a table without a sort key
 */
public record LockKey(String partition, @Nullable String sort) implements Serializable {

	private static final int MAX_PARTITION_BYTES = 2048;

	private static final int MAX_SORT_BYTES = 1024;

	/**
	 * Creates a key.
	 * @throws IllegalArgumentException if a part is empty, longer than DynamoDB allows,
	 * or not valid Unicode
	 */
	public LockKey {
		checkPart("partition", partition, MAX_PARTITION_BYTES);
		if (sort != null) {
			checkPart("sort", sort, MAX_SORT_BYTES);
		}
	}

	/**
	 * Creates a key for a table without a sort key.
	 * @throws IllegalArgumentException as the constructor does
	 */
	public static LockKey of(String partition) {
		return new LockKey(partition, null);
	}

	/**
	 * Creates a key for a table with a sort key.
	 * @throws IllegalArgumentException as the constructor does
	 */
	public static LockKey of(String partition, String sort) {
		return new LockKey(partition, Objects.requireNonNull(sort, "sort"));
	}

	/**
	 * Returns the key of a semaphore's slot: this key, followed by {@code #} and the
	 * number of the slot; see {@link LockRequest#permits}.
	 * @param slot the number of the slot, from zero
	 * @throws IllegalArgumentException if it is negative, or the key of the slot is
	 * longer than DynamoDB allows
	 */
	public LockKey slot(int slot) {
		if (slot < 0) {
			throw new IllegalArgumentException("slot is " + slot + "; it must not be negative");
		}
		return (this.sort == null) ? of(this.partition + "#" + slot) : of(this.partition, this.sort + "#" + slot);
	}

	private static void checkPart(String part, String value, int maxBytes) {
		Objects.requireNonNull(value, part);
		if (value.isEmpty()) {
			throw new IllegalArgumentException(
					"The " + part + " key of a lock is empty; DynamoDB needs at least one character");
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
			throw new IllegalArgumentException("The " + part
					+ " key of a lock contains an unpaired surrogate, which is not a character; DynamoDB would store "
					+ "a different key");
		}
		int bytes = value.getBytes(StandardCharsets.UTF_8).length;
		if (bytes > maxBytes) {
			throw new IllegalArgumentException(
					"The " + part + " key of a lock has " + bytes + " bytes in UTF-8; DynamoDB allows at most "
							+ maxBytes + ". It begins with \"" + LogText.of(value.substring(0, 40)) + "\"");
		}
	}

	/**
	 * Returns the key as messages and logs show it, with a slash before the sort key and
	 * control characters escaped.
	 */
	@Override
	public String toString() {
		return LogText.of((this.sort == null) ? this.partition : this.partition + "/" + this.sort);
	}

}
