/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.util.Objects;
import java.util.Optional;

import io.github.dynamodblock.InvalidLockOptionException;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/**
 * A ShedLock lock provider that acquires its locks with a {@link LockClient}. The
 * application keeps ShedLock's annotations and executors. Thread-safe; one provider
 * serves a whole application.
 *
 * <pre>{@code
 * LockProvider provider = new DynamoDbLockProvider(lockClient);
 * provider.lock(configuration).ifPresent((lock) -> {
 *     try {
 *         report();
 *     }
 *     finally {
 *         lock.unlock();
 *     }
 * });
 * }</pre>
 *
 * <p>
 * Heartbeats renew a lock until it is unlocked, its {@code lockAtMostFor} is over, or the
 * process ends. Wall clocks do not decide who holds a lock.
 *
 * <ul>
 * <li>{@link #lock} makes one attempt. Only if the holder seems to have crashed, it waits
 * for up to one lease to take the lock over
 * ({@link LockRequest#awaitSilentOwner(boolean)}). A task then runs at its first
 * execution after a crash, even if {@code lockAtMostFor} is not over.</li>
 * <li>{@code lockAtMostFor} and {@code lockAtLeastFor} count from the grant, on the
 * holder's monotonic clock. After {@code lockAtMostFor}, the lock is lost and released,
 * and the task keeps running. After a crash, neither applies: the lease does.</li>
 * <li>{@code extend} sets both anew, from when it is called. It costs one write and
 * assigns a new fencing token. It returns an empty {@code Optional} if the lock is lost.
 * If it throws an exception, heartbeats may have stopped, and the lock expires after at
 * most one lease; a further call tries again.</li>
 * <li>{@code unlock} never releases the lock of a later owner. It does not throw if the
 * lock was lost, which the lock client has logged, or if DynamoDB does not confirm the
 * release within two seconds, or ten after an extension that failed, so that the task's
 * result or exception stays: the failure is logged, and the client keeps retrying in the
 * background.</li>
 * <li>If the lock client is closed while a lock is held, the lock stays in the table
 * until its lease expires, since the task may still be running.</li>
 * </ul>
 *
 * <p>
 * <b>Exceptions.</b> {@code lock} and {@code extend} throw ShedLock's
 * {@link LockException} if DynamoDB rejects a call or does not answer in time;
 * {@code lock} also if the lock table is missing or not usable, or the lock client is
 * closed. Its cause is the lock client's exception. {@code lock} and {@code extend} throw
 * it if the thread is interrupted, and keep the interrupt flag; {@code unlock} ignores
 * interrupts. As with other providers, methods of a lock that was unlocked or extended
 * throw {@link IllegalStateException}.
 */
public final class DynamoDbLockProvider implements ExtensibleLockProvider {

	/** Separates the keys from those of the application's other locks. */
	private static final String DEFAULT_KEY_PREFIX = "shedlock:";

	/**
	 * The name of all locks in metrics and lists: ShedLock's names may be expressions.
	 */
	private static final String NAME = "shedlock";

	private final LockClient client;

	private final String keyPrefix;

	/**
	 * Creates a provider whose keys are {@code "shedlock:"} and ShedLock's lock name.
	 * @param client the client that acquires the locks, in a table without a sort key. It
	 * is not closed with the provider.
	 */
	public DynamoDbLockProvider(LockClient client) {
		this(client, DEFAULT_KEY_PREFIX);
	}

	/**
	 * Creates a provider with another key prefix. Providers with the same table,
	 * namespace and prefix share their locks.
	 * @param client the client that acquires the locks, in a table without a sort key. It
	 * is not closed with the provider.
	 * @param keyPrefix the start of all keys; empty for ShedLock's lock names as keys
	 * @throws IllegalArgumentException if no key can begin with the prefix, because it is
	 * too long or not valid Unicode
	 */
	public DynamoDbLockProvider(LockClient client, String keyPrefix) {
		this.client = Objects.requireNonNull(client, "client");
		this.keyPrefix = Objects.requireNonNull(keyPrefix, "keyPrefix");
		key("x");
	}

	/**
	 * Tries to acquire a lock.
	 * @return the lock; empty if another owner holds it, in this process or in another
	 * one
	 * @throws LockException if the lock client fails
	 * @throws IllegalArgumentException if the lock's name and the key prefix are too long
	 * together or not valid Unicode, {@code lockAtMostFor} is shorter than 100 ms,
	 * {@code lockAtLeastFor} is longer than 365 days, or the table has a sort key
	 */
	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		LockRequest request = request(configuration);
		try {
			return this.client.tryAcquire(request).map((lock) -> new DynamoDbSimpleLock(configuration, lock, this));
		}
		catch (InterruptedException | io.github.dynamodblock.LockException ex) {
			throw failed("acquired", request.key(), ex);
		}
	}

	LockClient client() {
		return this.client;
	}

	LockRequest request(LockConfiguration configuration) {
		LockKey key = key(configuration.getName());
		try {
			return LockRequest.of(key)
				.name(NAME)
				.holdAtMost(configuration.getLockAtMostFor())
				.holdAtLeast(configuration.getLockAtLeastFor())
				.awaitSilentOwner(true)
				.releaseOnClose(false);
		}
		catch (InvalidLockOptionException ex) {
			throw new IllegalArgumentException("Lock '" + key + "' cannot be held as configured: " + ex.getMessage()
					+ ". Set lockAtMostFor (here holdAtMost) to at least 100 ms, and lockAtLeastFor (here holdAtLeast)"
					+ " to at most 365 days", ex);
		}
	}

	private LockKey key(String name) {
		try {
			return LockKey.of(this.keyPrefix + name);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("The key prefix of the lock provider and the name of ShedLock's lock"
					+ " together are not a valid lock key; change one of them. " + ex.getMessage(), ex);
		}
	}

	static LockException failed(String what, LockKey key, Exception cause) {
		String reason = cause.getMessage();
		if (cause instanceof InterruptedException) {
			Thread.currentThread().interrupt();
			reason = "the thread was interrupted";
		}
		return new LockException("Lock '" + key + "' could not be " + what + ": " + reason, cause);
	}

}
