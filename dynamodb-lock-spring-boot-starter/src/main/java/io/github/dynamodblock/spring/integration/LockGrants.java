/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;

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
import io.github.dynamodblock.spring.LockedExecution;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Calls the lock client, and reports failures as lock registry exceptions. Thread-safe.
 */
final class LockGrants {

	private static final Logger logger = LoggerFactory.getLogger(LockGrants.class);

	/**
	 * A registry's lock has no time limit, because a leader holds it until it is
	 * unlocked.
	 */
	private static final Duration NO_LIMIT = Duration.ofSeconds(Long.MAX_VALUE);

	/**
	 * An unlimited wait is split into waits of this length, to detect outages.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(15);

	private static final Duration SHORTEST_RELEASE = Duration.ofSeconds(10);

	/** The maximum wait of an unlock, however long the lease is. */
	private static final Duration LONGEST_RELEASE = Duration.ofMinutes(1);

	private final LockClient client;

	private final UnaryOperator<LockRequest> options;

	private final Duration patience;

	/**
	 * Creates an instance for one registry.
	 * @param client the client
	 * @param options applied to every request
	 * @param patience the length of the waits into which an unlimited wait is split. It
	 * must exceed the time of a few calls, or outages are not detected
	 */
	LockGrants(LockClient client, UnaryOperator<LockRequest> options, Duration patience) {
		this.client = Objects.requireNonNull(client, "lockClient");
		this.options = Objects.requireNonNull(options, "options");
		this.patience = patience;
		// Invalid options fail here, not at the first lock.
		request(LockKey.of("any"), null);
	}

	static void checkLease(Duration leaseDuration) {
		RenewRequest.create().leaseDuration(leaseDuration);
	}

	/**
	 * Refuses to wait for a lock that the current thread holds outside the registry. With
	 * an empty prefix, the registry and annotated methods share their keys.
	 * @param key the lock
	 * @param own the lock that the registry holds under this key, or {@code null}
	 * @throws IllegalStateException if the thread would wait for itself
	 */
	void refuseToWaitForItself(LockKey key, @Nullable HeldLock own) {
		LockContext.find(this.client, key).filter((held) -> held != own && held.isHeld()).ifPresent((held) -> {
			throw new IllegalStateException("Lock '" + key + "' cannot be acquired through the registry: a "
					+ "@DistributedLock method or a LockTemplate already holds it in this thread, which would wait "
					+ "for itself. Remove one of the two, or set a key prefix for the registry "
					+ "(dynamodb-lock.registry.key-prefix)");
		});
	}

	/**
	 * Acquires a lock. An unlimited wait is split into several waits. A single failed
	 * call at the end of a wait fails that wait, so only two failed waits in a row show
	 * that DynamoDB fails.
	 * @param key the lock
	 * @param timeToLive how long to hold it, or {@code null} to renew it until it is
	 * released
	 * @param waitTime how long to wait while it is held, {@code null} for no limit
	 * @param ask {@link #ask} or {@link #askUninterruptibly}
	 * @return the lock, or {@code null} if it was held all that time
	 * @throws E if the thread is interrupted; nothing is held then
	 * @throws CannotAcquireLockException if DynamoDB refuses or does not answer
	 */
	<E extends Exception> @Nullable HeldLock acquire(LockKey key, @Nullable Duration timeToLive,
			@Nullable Duration waitTime, Ask<E> ask) throws E {
		LockRequest request = request(key, timeToLive).waitTime((waitTime != null) ? waitTime : this.patience);
		boolean failed = false;
		while (true) {
			try {
				HeldLock granted = ask.ask(request);
				if (granted != null || waitTime != null) {
					return granted;
				}
				failed = false;
			}
			catch (LockException ex) {
				if (failed || waitTime != null || !(ex instanceof LockStoreException)) {
					throw new CannotAcquireLockException("Lock '" + key + "' cannot be acquired: " + ex.getMessage(),
							ex);
				}
				failed = true;
			}
		}
	}

	@Nullable HeldLock ask(LockRequest request) throws InterruptedException {
		try {
			return LockedExecution.required(this.client, this.client.acquire(request));
		}
		catch (LockNotGrantedException ex) {
			return null;
		}
	}

	/**
	 * Ignores interrupts: the acquisition keeps its place in the queue, and the thread
	 * keeps its interrupt flag.
	 */
	@Nullable HeldLock askUninterruptibly(LockRequest request) {
		try {
			return LockedExecution.required(this.client, this.client.acquireUninterruptibly(request));
		}
		catch (LockNotGrantedException ex) {
			return null;
		}
	}

	private LockRequest request(LockKey key, @Nullable Duration timeToLive) {
		LockRequest request = Objects.requireNonNull(
				this.options
					.apply(LockRequest.of(key).name("lock-registry").deleteOnRelease(true).holdAtMost(NO_LIMIT)),
				"options returned null");
		return (timeToLive != null) ? request.leaseDuration(timeToLive).automaticRenewal(false) : request;
	}

	/**
	 * Releases a lock. Waits for DynamoDB's answer for one lease, because the lock may
	 * block other clients that long, but at least 10 seconds and at most a minute. Does
	 * not wait if the lock is known to be lost. A failed release is only logged, because
	 * the caller gets the result of the work.
	 * @param held the lock
	 * @throws ConcurrentModificationException if it was lost
	 */
	void release(HeldLock held) {
		ReleaseOutcome outcome = ReleaseOutcome.LOST;
		try {
			if (held.lossReason().isPresent()) {
				abandon(held);
			}
			else {
				outcome = held.release(ReleaseRequest.create().waitTime(releaseTime(held)));
			}
		}
		catch (LockException ex) {
			logger.warn("Lock '{}' was unlocked here, but DynamoDB did not confirm the release: other clients may have "
					+ "to wait for one lease. {}", held.key(), ex.getMessage());
			logger.debug("Stack trace of the failed release", ex);
			return;
		}
		if (outcome != ReleaseOutcome.RELEASED) {
			throw new ConcurrentModificationException("Lock '" + held.key() + "' was no longer held when it was "
					+ "unlocked (" + held.lossReason().map(Enum::name).orElse(outcome.name())
					+ "): another owner may have done the work in the meantime");
		}
	}

	/**
	 * Releases the item of an expired lease, because other clients may wait for it. Does
	 * not wait: during an outage, the thread must learn of the loss first.
	 * @param lost the lock
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // the loss is reported, whatever
													// follows
	void abandon(HeldLock lost) {
		lost.releaseAsync();
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
			// Unlike renew(), this ignores interrupts.
			held.renewAsync(request).join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof LockLostException) {
				throw new IllegalStateException("Lock '" + held.key() + "' cannot be renewed: it was lost",
						ex.getCause());
			}
			throw new DataAccessResourceFailureException("Lock '" + held.key() + "' was not renewed", ex.getCause());
		}
	}

	/**
	 * Requests a lock once.
	 *
	 * @param <E> the exception if the thread is interrupted
	 */
	@FunctionalInterface
	interface Ask<E extends Exception> {

		@Nullable HeldLock ask(LockRequest request) throws E;

	}

}
