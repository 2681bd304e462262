/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * The lock is no longer held by this handle or token, although it was not released by it.
 * Immutable.
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

	/**
	 * @param key the lock
	 * @param reason why it was lost
	 * @param fencingToken the token under which it had been held
	 */
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
			case STOLEN -> "another owner or a newer token has it, or had it since";
			case ITEM_MISSING -> "its item was deleted from the lock table";
			case TABLE_MISSING -> "the lock table was deleted";
			case RELEASED_BY_ADMINISTRATOR -> "it was released by somebody else in this owner's name";
			case CLOSED -> "its client was closed";
		};
	}

	/**
	 * The lock.
	 * @return the key
	 */
	public LockKey key() {
		return this.key;
	}

	/**
	 * Why the lock was lost.
	 * @return the reason
	 */
	public LossReason reason() {
		return this.reason;
	}

	/**
	 * The token under which the lock had been held.
	 * @return the token
	 */
	public long fencingToken() {
		return this.fencingToken;
	}

}
