/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a lock was not granted. Either another owner held it for all of the wait
 * time, or the lock has no item and the request {@linkplain LockRequest#onlyIfItemExists
 * requires one}, or its item does not meet the request's condition
 * ({@link ConditionNotMetException}). The caller holds no lock. If DynamoDB has not
 * answered a write, its effect is undone in the background.
 *
 * <pre>{@code
 * try {
 *     work(client.acquire("orders-42"));
 * }
 * catch (LockNotGrantedException ex) {
 *     logger.info("Held by {}", ex.record().map(LockRecord::ownerName).orElse("an unknown owner"));
 * }
 * }</pre>
 */
public sealed class LockNotGrantedException extends LockException permits ConditionNotMetException {

	private static final long serialVersionUID = 1L;

	private final LockKey key;

	private final transient @Nullable LockRecord record;

	private final @Nullable Duration leaseRemaining;

	/**
	 * Creates an exception.
	 * @param reason the end of the message: how long the caller waited, and why the lock
	 * was not granted. Control characters are escaped.
	 * @param record the lock as it was last seen, or {@code null} if it was not seen
	 * @param leaseRemaining how long until the lock can be taken over unless its owner
	 * renews it, or {@code null} if that is not known
	 */
	public LockNotGrantedException(LockKey key, String reason, @Nullable LockRecord record,
			@Nullable Duration leaseRemaining) {
		super("Lock '" + key + "' was not granted " + LogText.of(reason), null);
		this.key = key;
		this.record = record;
		this.leaseRemaining = leaseRemaining;
	}

	public LockKey key() {
		return this.key;
	}

	/**
	 * {@return the lock as it was last read, with its owner; empty if it was not read,
	 * and after deserialization}
	 */
	public Optional<LockRecord> record() {
		return Optional.ofNullable(this.record);
	}

	/**
	 * {@return how long until the lock can be taken over unless its owner renews it, or
	 * empty if that is not known}
	 */
	public Optional<Duration> leaseRemaining() {
		return Optional.ofNullable(this.leaseRemaining);
	}

}
