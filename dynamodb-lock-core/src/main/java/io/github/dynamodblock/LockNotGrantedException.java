/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Another owner was seen to hold the lock, and did not release it within the wait time;
 * or the lock has no item, and the request was only for a lock that has one. Nothing is
 * held; a write that DynamoDB has not answered is undone in the background.
 *
 * <pre>{@code
 * try {
 *     work(client.acquire("orders-42"));
 * }
 * catch (LockNotGrantedException ex) {
 *     logger.info("Held by {}", ex.holder().map(LockRecord::ownerName).orElse("somebody"));
 * }
 * }</pre>
 */
public final class LockNotGrantedException extends LockException {

	private static final long serialVersionUID = 1L;

	private final LockKey key;

	private final transient @Nullable LockRecord holder;

	private final @Nullable Duration leaseRemaining;

	/**
	 * @param key the lock that was asked for
	 * @param waitTime how long the caller was ready to wait
	 * @param holder the lock as it was last seen, or {@code null} if it was not seen
	 * @param leaseRemaining how long until the lock could be taken over if its owner sent
	 * no more heartbeat, or {@code null} if that is not known
	 */
	public LockNotGrantedException(LockKey key, Duration waitTime, @Nullable LockRecord holder,
			@Nullable Duration leaseRemaining) {
		this(message(key, waitTime, holder, leaseRemaining), key, holder, leaseRemaining);
	}

	/**
	 * The refusal of a request that was only for a lock with an item.
	 * @param key the lock that was asked for
	 * @return the exception
	 */
	public static LockNotGrantedException noItem(LockKey key) {
		return new LockNotGrantedException(
				"Lock '" + key + "' was not granted: it has no item, and the request was only for a lock that has one",
				key, null, null);
	}

	/**
	 * The refusal of a lock that the same client holds.
	 * @param key the lock that was asked for
	 * @param waitTime how long the caller was ready to wait
	 * @param holder the lock as the client holds it
	 * @return the exception
	 */
	public static LockNotGrantedException heldByItself(LockKey key, Duration waitTime, LockRecord holder) {
		return new LockNotGrantedException(
				message(key, waitTime, holder, null)
						+ ", which is this very client: locks are not reentrant, and another of its handles has it",
				key, holder, null);
	}

	private LockNotGrantedException(String message, LockKey key, @Nullable LockRecord holder,
			@Nullable Duration leaseRemaining) {
		super(message, null);
		this.key = key;
		this.holder = holder;
		this.leaseRemaining = leaseRemaining;
	}

	private static String message(LockKey key, Duration waitTime, @Nullable LockRecord holder,
			@Nullable Duration leaseRemaining) {
		StringBuilder message = new StringBuilder("Lock '").append(key).append("' was not granted");
		message.append(waitTime.isZero() ? " at the first attempt" : " within " + waitTime);
		if (holder != null) {
			message.append(": it is held by '").append(Printable.of(holder.ownerName())).append('\'');
		}
		if (leaseRemaining != null) {
			message.append(", and could be taken over in ")
				.append(leaseRemaining)
				.append(" if that owner sent no more heartbeat");
		}
		return message.toString();
	}

	/**
	 * The lock that was asked for.
	 * @return the key
	 */
	public LockKey key() {
		return this.key;
	}

	/**
	 * The lock as it was last seen. Empty if it was not seen, and after deserialisation.
	 * @return who holds it
	 */
	public Optional<LockRecord> holder() {
		return Optional.ofNullable(this.holder);
	}

	/**
	 * How long until the lock could be taken over if its owner sent no more heartbeat.
	 * @return the time, or empty if it is not known
	 */
	public Optional<Duration> leaseRemaining() {
		return Optional.ofNullable(this.leaseRemaining);
	}

}
