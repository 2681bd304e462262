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
 * <li>{@link #lock} makes one attempt. If the holder seems to have crashed, it waits for
 * up to one lease and takes the lock over
 * ({@link LockRequest#awaitSilentOwner(boolean)}). A task thus runs at its first
 * execution after a crash, even if {@code lockAtMostFor} is not over.</li>
 * <li>{@code lockAtMostFor} and {@code lockAtLeastFor} count from the grant, on the
 * holder's monotonic clock. After {@code lockAtMostFor}, the lock is lost and released,
 * but the task keeps running. After a crash, the lease applies instead of both.</li>
 * <li>{@code extend} sets both again, counted from the call. It costs one write and
 * assigns a new fencing token. It returns an empty {@code Optional} if the lock is lost.
 * If it throws an exception, heartbeats may have stopped, and the lock then expires after
 * at most one lease. Another call tries again.</li>
 * <li>{@code unlock} never releases the lock of a later owner. It does not throw if the
 * lock was lost or the release fails, so it cannot replace the task's result or
 * exception. It waits up to two seconds for DynamoDB, or ten after a failed extension. If
 * the release is not confirmed by then, the failure is logged, and the client keeps
 * retrying in the background. If the lock was lost, the lock client has already logged
 * that.</li>
 * <li>If the lock client is closed while a lock is held, the lock stays in the table
 * until its lease expires, because the task may still be running.</li>
 * </ul>
 *
 * <p>
 * <b>Exceptions.</b> {@code lock} and {@code extend} throw ShedLock's
 * {@link LockException} if DynamoDB rejects a call or does not answer in time, or if the
 * thread is interrupted; they keep the interrupt flag. {@code lock} also throws it if the
 * lock table is missing or not usable, or the lock client is closed. The cause is the
 * lock client's exception. {@code unlock} ignores interrupts. As with other providers,
 * methods of a lock that was unlocked or extended throw {@link IllegalStateException}.
 */
public final class DynamoDbLockProvider implements ExtensibleLockProvider {

	/** Separates the keys from those of the application's other locks. */
	private static final String DEFAULT_KEY_PREFIX = "shedlock:";

	/**
	 * The name of all locks in metrics and lists, because ShedLock's names may be
	 * expressions.
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
	 * @param keyPrefix the start of all keys; if it is empty, the keys are ShedLock's
	 * lock names
	 * @throws IllegalArgumentException if the prefix is too long for a key or not valid
	 * Unicode
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
	 * @throws IllegalArgumentException if the key, which is the prefix and the lock's
	 * name, is too long or not valid Unicode, {@code lockAtMostFor} is shorter than 100
	 * ms, {@code lockAtLeastFor} is longer than 365 days, or the table has a sort key
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
		String reason = String.valueOf(cause.getMessage());
		if (cause instanceof InterruptedException) {
			Thread.currentThread().interrupt();
			reason = "the thread was interrupted";
		}
		String failed = "Lock '" + key + "' could not be " + what;
		// The lock client's messages often begin with the same words.
		return new LockException(reason.startsWith(failed) ? reason : failed + ": " + reason, cause);
	}

}
