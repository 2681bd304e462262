/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.spring.LockContext;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Asks the lock client, and reports failures as the exceptions of a lock registry.
 * Thread-safe.
 */
final class LockGrants {

	/** A lock of a registry is held until it is unlocked, as a leader's must be. */
	private static final Duration NO_LIMIT = Duration.ofSeconds(Long.MAX_VALUE);

	/**
	 * An unlimited wait is split into such pieces, so that a silent store is reported.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(15);

	private static final Duration SHORTEST_RELEASE = Duration.ofSeconds(10);

	/** An unlock waits no longer than this, however long the lease is. */
	private static final Duration LONGEST_RELEASE = Duration.ofMinutes(1);

	private final LockClient client;

	private final @Nullable Duration leaseDuration;

	private final boolean deleteOnRelease;

	private final String name;

	private final Duration patience;

	LockGrants(LockClient client, @Nullable Duration leaseDuration, boolean deleteOnRelease, String name,
			Duration patience) {
		this.client = client;
		this.leaseDuration = leaseDuration;
		this.deleteOnRelease = deleteOnRelease;
		this.name = name;
		this.patience = patience;
	}

	static void checkLease(Duration leaseDuration) {
		RenewRequest.create().leaseDuration(leaseDuration);
	}

	/**
	 * Refuses to wait for a lock that the current thread holds by other means. With an
	 * empty prefix the registry's keys are those of annotated methods, too.
	 * @param key the lock
	 * @param own the lock that the registry holds under this key, or {@code null}
	 * @throws IllegalStateException if the thread would wait for itself
	 */
	void refuseToWaitForItself(LockKey key, @Nullable HeldLock own) {
		LockContext.find(this.client, key).filter((held) -> held != own && held.isHeld()).ifPresent((held) -> {
			throw new IllegalStateException("Lock '" + key + "' cannot be acquired through the registry: a "
					+ "@DistributedLock method or a LockTemplate of this thread holds it, and the thread would wait for "
					+ "itself. Leave out one of the two, or give the registry a key prefix "
					+ "(dynamodb-lock.registry.key-prefix)");
		});
	}

	/**
	 * Asks for a lock.
	 * @param key the lock
	 * @param timeToLive how long to hold it, or {@code null} to renew it until it is
	 * released
	 * @param waitTime how long to wait for others, {@code null} for no limit
	 * @return the lock, or {@code null} if others held it all that time
	 * @throws InterruptedException if the thread is interrupted; nothing is held then
	 */
	@Nullable HeldLock acquire(LockKey key, @Nullable Duration timeToLive, @Nullable Duration waitTime)
			throws InterruptedException {
		LockRequest request = request(key, timeToLive);
		try {
			return (waitTime != null) ? this.client.tryAcquire(request.waitTime(waitTime)).orElse(null)
					: askForEver(() -> this.client.tryAcquire(request.waitTime(this.patience)).orElse(null));
		}
		catch (LockException ex) {
			throw refused(key, ex);
		}
	}

	/**
	 * Asks until the lock is granted. One piece may fail because of a single call at its
	 * end, so that only two in a row say that DynamoDB is out of order.
	 */
	private static <E extends Exception> HeldLock askForEver(Ask<E> ask) throws E {
		LockStoreException earlier = null;
		while (true) {
			try {
				HeldLock granted = ask.ask();
				if (granted != null) {
					return granted;
				}
				earlier = null;
			}
			catch (LockStoreException ex) {
				if (earlier != null) {
					ex.addSuppressed(earlier);
					throw ex;
				}
				earlier = ex;
			}
		}
	}

	/**
	 * Asks for a lock; an interrupt does not end the wait, and the interrupt flag is
	 * kept.
	 * @param key the lock
	 * @param timeToLive how long to hold it, or {@code null} to renew it until it is
	 * released
	 * @param waitTime how long to wait for others, {@code null} for no limit
	 * @return the lock, or {@code null} if others held it all that time
	 */
	@Nullable HeldLock acquireUninterruptibly(LockKey key, @Nullable Duration timeToLive, @Nullable Duration waitTime) {
		LockRequest request = request(key, timeToLive).waitTime((waitTime != null) ? waitTime : this.patience);
		try {
			return (waitTime != null) ? askUninterruptibly(request) : askForEver(() -> askUninterruptibly(request));
		}
		catch (LockException ex) {
			throw refused(key, ex);
		}
	}

	private @Nullable HeldLock askUninterruptibly(LockRequest request) {
		// A future goes on when its caller is interrupted, and keeps its place in line.
		CompletableFuture<HeldLock> future = this.client.acquireAsync(request, Runnable::run);
		try {
			return Uninterruptible.call(() -> future.get());
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof LockNotGrantedException) {
				return null;
			}
			if (ex.getCause() instanceof LockException failure) {
				throw failure;
			}
			throw refused(request.key(), ex.getCause());
		}
	}

	private LockRequest request(LockKey key, @Nullable Duration timeToLive) {
		LockRequest request = LockRequest.of(key)
			.name(this.name)
			.deleteOnRelease(this.deleteOnRelease)
			.holdAtMost(NO_LIMIT);
		if (timeToLive != null) {
			return request.leaseDuration(timeToLive).automaticRenewal(false);
		}
		return (this.leaseDuration != null) ? request.leaseDuration(this.leaseDuration) : request;
	}

	private static RuntimeException refused(LockKey key, @Nullable Throwable cause) {
		String reason = (cause != null) ? ": " + cause.getMessage() : "";
		return new CannotAcquireLockException("Lock '" + key + "' cannot be acquired" + reason, cause);
	}

	/**
	 * Frees a lock. Waits for DynamoDB as long as the lock might be in others' way: for
	 * its lease, but 10 seconds at least and a minute at most.
	 * @param held the lock
	 * @throws ConcurrentModificationException if it was lost
	 * @throws DataAccessResourceFailureException if DynamoDB did not confirm it
	 */
	void release(HeldLock held) {
		ReleaseOutcome outcome;
		try {
			outcome = held.release(ReleaseRequest.create().waitTime(releaseTime(held)));
		}
		catch (LockException ex) {
			throw new DataAccessResourceFailureException("Lock '" + held.key()
					+ "' is unlocked here, but DynamoDB did not confirm it: others may have to wait for a lease", ex);
		}
		if (outcome != ReleaseOutcome.RELEASED) {
			throw new ConcurrentModificationException("Lock '" + held.key() + "' was not held up to its unlock ("
					+ held.lossReason().map(Enum::name).orElse(outcome.name())
					+ "): others may have done what it was to prevent");
		}
	}

	private static Duration releaseTime(HeldLock held) {
		Duration lease = held.record().leaseDuration();
		if (lease.compareTo(SHORTEST_RELEASE) < 0) {
			return SHORTEST_RELEASE;
		}
		return (lease.compareTo(LONGEST_RELEASE) > 0) ? LONGEST_RELEASE : lease;
	}

	/**
	 * Sends a heartbeat, and waits until it is answered or the lease has ended.
	 * @param held the lock
	 * @param timeToLive its lease from now on, or {@code null} to keep it
	 * @throws IllegalStateException if it was lost
	 * @throws DataAccessResourceFailureException if DynamoDB refused
	 */
	void renew(HeldLock held, @Nullable Duration timeToLive) {
		RenewRequest request = (timeToLive != null) ? RenewRequest.create().leaseDuration(timeToLive)
				: RenewRequest.create();
		try {
			Uninterruptible.call(() -> {
				held.renew(request);
				return held;
			});
		}
		catch (LockLostException ex) {
			throw new IllegalStateException("Lock '" + held.key() + "' cannot be renewed: it was lost", ex);
		}
		catch (LockException ex) {
			throw new DataAccessResourceFailureException("Lock '" + held.key() + "' was not renewed", ex);
		}
	}

	/**
	 * Asks for a lock once.
	 *
	 * @param <E> what ends it, besides a refusal
	 */
	@FunctionalInterface
	private interface Ask<E extends Exception> {

		@Nullable HeldLock ask() throws E;

	}

}
