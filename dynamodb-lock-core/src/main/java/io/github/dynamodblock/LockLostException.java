/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * Thrown if a handle or a token has lost its lock: it no longer holds the lock, although
 * it has not released it.
 *
 * <pre>{@code
 * try {
 *     lock.ensureHeld();
 *     shipOrder();
 * }
 * catch (LockLostException ex) {
 *     logger.error("Not shipped: {}", ex.reason());
 * }
 * }</pre>
 */
public final class LockLostException extends LockException {

	private static final long serialVersionUID = 1L;

	private final LockKey key;

	private final LossReason reason;

	private final long fencingToken;

	public LockLostException(LockKey key, LossReason reason, long fencingToken) {
		super("Lock '" + key + "', held with fencing token " + fencingToken + ", was lost: " + describe(reason), null);
		this.key = key;
		this.reason = reason;
		this.fencingToken = fencingToken;
	}

	private static String describe(LossReason reason) {
		return switch (reason) {
			case EXPIRED -> "no heartbeat was confirmed before its lease ended";
			case HELD_TOO_LONG -> "it was held for longer than its holdAtMost";
			case STOLEN -> "it was acquired by another owner or with a newer fencing token";
			case ITEM_MISSING -> "its item was deleted from the lock table";
			case TABLE_MISSING -> "the lock table was deleted";
			case RELEASED_BY_ADMINISTRATOR -> "an administrator, or a client with its token, released it";
			case CLOSED -> "its client was closed";
		};
	}

	public LockKey key() {
		return this.key;
	}

	public LossReason reason() {
		return this.reason;
	}

	public long fencingToken() {
		return this.fencingToken;
	}

}
