/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A lock registry of Spring Integration whose locks are held in DynamoDB, by at most one
 * thread of all applications at a time. Thread-safe; one registry serves a whole
 * application.
 *
 * <pre>{@code
 * LockRegistry<DistributedLock> registry = new DynamoDbLockRegistry(lockClient);
 * registry.executeLocked("orders-42", () -> fulfil(order));
 * }</pre>
 *
 * <p>
 * The locks are reentrant, and fair among the threads of one registry. An acquisition is
 * one write, a nested one is none, the last {@code unlock()} is one more. A held lock is
 * renewed in the background; one that was taken with a time to live is kept for that time
 * and no longer. A nested acquire leaves the time to live as it is.
 * {@link DistributedLock} here is Spring Integration's interface, not the annotation of
 * the same name.
 *
 * <ul>
 * <li>{@code lock()} ignores interrupts and keeps the thread's interrupt flag, and so
 * does {@code tryLock()}, which makes one attempt. The others throw
 * {@link InterruptedException}, and hold nothing then.</li>
 * <li>When DynamoDB refuses or does not answer, they throw
 * {@link CannotAcquireLockException}; those that wait indefinitely do so when it refuses
 * once more, or has been silent for half a minute or so. Threads of this registry that
 * wait for the same key get it one after the other.</li>
 * <li>A wait that is too short for a call takes the time of one attempt: until the first
 * answer, or some 10 seconds where DynamoDB hangs. A hung store looks like a busy lock,
 * {@code false}, to a timed {@code tryLock} that has seen a holder and whose time ends
 * while its call is under way. Until that call has ended, a {@code tryLock()} for the
 * same key may give {@code false} without a separate call.</li>
 * <li>A nested acquire of a lock that was lost gives {@code false}, or throws
 * {@link CannotAcquireLockException} where it has no result. The thread's holds are void
 * from then on: it may acquire the lock anew, and unlocks that once. An {@code unlock()}
 * of a void hold throws {@link IllegalMonitorStateException} with the loss as its
 * cause.</li>
 * <li>All of them throw {@link IllegalStateException}, and send nothing, where the thread
 * holds the same lock by an annotated method or a
 * {@link io.github.dynamodblock.spring.LockTemplate}: it would wait for itself. Only with
 * an empty key prefix is there such a lock.</li>
 * <li>{@code unlock()} throws {@link IllegalMonitorStateException} in a thread that does
 * not own the lock, {@link ConcurrentModificationException} if the lock was lost
 * meanwhile, and {@link DataAccessResourceFailureException} if DynamoDB did not confirm
 * the release within the time of its lease, which counts as 10 seconds at least and a
 * minute at most. In the last two cases the thread has given up its hold all the
 * same.</li>
 * <li>{@code newCondition()} is not supported.</li>
 * </ul>
 */
public class DynamoDbLockRegistry
		implements RenewableLockRegistry<DistributedLock>, ExpirableLockRegistry<DistributedLock> {

	private final RegistryKeys keys;

	private final LockEntries entries;

	/**
	 * A registry with default settings.
	 * @param lockClient the client that acquires the locks; it is not closed with the
	 * registry
	 */
	public DynamoDbLockRegistry(LockClient lockClient) {
		this(builder(lockClient));
	}

	DynamoDbLockRegistry(Builder builder) {
		this.keys = new RegistryKeys(builder.keyPrefix, builder.sortKey);
		this.entries = new LockEntries(builder.capacity, new LockGrants(builder.lockClient, builder.leaseDuration,
				builder.deleteOnRelease, builder.name, builder.patience), builder.nanoClock);
	}

	/**
	 * Starts to build a registry.
	 * @param lockClient the client that acquires the locks; it is not closed with the
	 * registry
	 * @return the builder
	 */
	public static Builder builder(LockClient lockClient) {
		return new Builder(lockClient);
	}

	/**
	 * The lock of a key. As long as the registry remembers the key, it is the same
	 * object. A lock that the registry has forgotten stays usable and is the lock of its
	 * key still.
	 * @param lockKey a text, a character, a number, a boolean, an enum constant, a UUID,
	 * a URI, or a date or time of {@code java.time}; values of equal text have one lock
	 * @return the lock
	 * @throws IllegalArgumentException if the key is of another kind, blank or too long
	 * @throws CannotAcquireLockException if the registry is full of locks that threads
	 * hold or wait for
	 */
	@Override
	public DistributedLock obtain(Object lockKey) {
		return this.entries.obtain(this.keys.key(lockKey));
	}

	/**
	 * Sends a heartbeat for a lock now. Locks are renewed in the background, so only one
	 * that was taken with a time to live needs this; it is kept for that time once more.
	 * Waits until DynamoDB answers or the lease has ended; ignores interrupts and keeps
	 * the interrupt flag.
	 * @param lockKey the key, as for {@link #obtain}
	 * @throws IllegalMonitorStateException if the current thread does not own the lock
	 * @throws IllegalStateException if the lock was lost, also while this call waits
	 * @throws DataAccessResourceFailureException if DynamoDB refused the heartbeat; the
	 * lock stays held until its lease ends
	 */
	@Override
	public void renewLock(Object lockKey) {
		this.entries.renew(this.keys.key(lockKey), null);
	}

	/**
	 * Sends a heartbeat for a lock now that also changes its time to live. A lock that is
	 * renewed in the background goes on being renewed, with this time as its lease. Waits
	 * until DynamoDB answers or the lease has ended; ignores interrupts and keeps the
	 * interrupt flag.
	 * @param lockKey the key, as for {@link #obtain}
	 * @param ttl the time, in whole milliseconds, from 100 ms to 365 days
	 * @throws IllegalArgumentException if the time is not within these limits
	 * @throws IllegalMonitorStateException if the current thread does not own the lock
	 * @throws IllegalStateException if the lock was lost, also while this call waits
	 * @throws DataAccessResourceFailureException if DynamoDB refused the heartbeat; the
	 * lock stays held until its lease ends
	 */
	@Override
	public void renewLock(Object lockKey, Duration ttl) {
		this.entries.renew(this.keys.key(lockKey), Objects.requireNonNull(ttl, "ttl"));
	}

	/**
	 * Forgets locks that no thread holds or waits for. Costs no call and frees no lock.
	 * @param age how long ago they were last obtained or locked at least, in
	 * milliseconds; all of them if zero or negative
	 */
	@Override
	public void expireUnusedOlderThan(long age) {
		this.entries.expireUnusedOlderThan(TimeUnit.MILLISECONDS.toNanos(age));
	}

	/**
	 * The lock that a thread of this registry holds now, for its fencing token or to ask
	 * whether it is still held. Release it by {@code unlock()} only. Costs no call.
	 * @param lockKey the key, as for {@link #obtain}
	 * @return the lock, which may have been lost; empty if no thread holds it
	 */
	public Optional<HeldLock> heldLock(Object lockKey) {
		LockKey key = this.keys.key(lockKey);
		return Optional.ofNullable(this.entries.held(key));
	}

	/** How many keys are remembered. */
	int size() {
		return this.entries.size();
	}

	/**
	 * Puts a registry together. Not thread-safe.
	 */
	public static final class Builder {

		/** Keeps the keys apart from those of annotated methods not named "registry". */
		static final String DEFAULT_KEY_PREFIX = "registry:";

		static final int DEFAULT_CAPACITY = 100_000;

		private final LockClient lockClient;

		private String keyPrefix = DEFAULT_KEY_PREFIX;

		private @Nullable String sortKey;

		private int capacity = DEFAULT_CAPACITY;

		private @Nullable Duration leaseDuration;

		private boolean deleteOnRelease = true;

		private String name = "lock-registry";

		private Duration patience = LockGrants.PATIENCE;

		private LongSupplier nanoClock = System::nanoTime;

		private Builder(LockClient lockClient) {
			this.lockClient = Objects.requireNonNull(lockClient, "lockClient");
		}

		/**
		 * Sets what every lock's key begins with. Registries with one prefix share their
		 * locks.
		 * @param keyPrefix the prefix, may be empty; {@code "registry:"} unless set
		 * @return this builder
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = Objects.requireNonNull(keyPrefix, "keyPrefix");
			return this;
		}

		/**
		 * Sets the sort key of every lock, which a table with a sort key needs.
		 * @param sortKey the sort key, or {@code null} for a table without one
		 * @return this builder
		 */
		public Builder sortKey(@Nullable String sortKey) {
			this.sortKey = sortKey;
			return this;
		}

		/**
		 * Sets how many keys are remembered. The key that was not used for longest is
		 * forgotten for a new one; one whose lock a thread holds or waits for never is.
		 * @param capacity the number, positive; 100,000 unless set
		 * @return this builder
		 * @throws IllegalArgumentException if it is not positive
		 */
		public Builder capacity(int capacity) {
			if (capacity < 1) {
				throw new IllegalArgumentException("capacity is " + capacity + "; it must be at least 1");
			}
			this.capacity = capacity;
			return this;
		}

		/**
		 * Sets the lease of locks that are taken without a time to live. Each lock is
		 * renewed before it ends.
		 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days;
		 * the client's unless set
		 * @return this builder
		 * @throws IllegalArgumentException if the lease is not within these limits
		 */
		public Builder leaseDuration(Duration leaseDuration) {
			LockGrants.checkLease(leaseDuration);
			this.leaseDuration = leaseDuration;
			return this;
		}

		/**
		 * Sets whether unlocking deletes a lock's item, as is best for keys without end,
		 * such as those of message groups. Otherwise the item stays until its time to
		 * live, so that fencing tokens increase whatever the clocks say.
		 * @param deleteOnRelease whether to delete; {@code true} unless set
		 * @return this builder
		 */
		public Builder deleteOnRelease(boolean deleteOnRelease) {
			this.deleteOnRelease = deleteOnRelease;
			return this;
		}

		/**
		 * Sets what metrics and lists call the locks of this registry.
		 * @param name the name, not blank; {@code "lock-registry"} unless set
		 * @return this builder
		 * @throws IllegalArgumentException if the name is blank
		 */
		public Builder name(String name) {
			if (Objects.requireNonNull(name, "name").isBlank()) {
				throw new IllegalArgumentException("name is blank; give what metrics are to call the locks, such as "
						+ "'lock-registry', or leave it out");
			}
			this.name = name;
			return this;
		}

		/**
		 * How long {@code lock()} waits for a usable answer before it asks anew, once:
		 * longer than a few calls may take, or the silence is not noticed.
		 */
		Builder patience(Duration patience) {
			this.patience = patience;
			return this;
		}

		/** What measures how long keys have not been used. */
		Builder nanoClock(LongSupplier nanoClock) {
			this.nanoClock = nanoClock;
			return this;
		}

		/**
		 * Makes the registry. Nothing is sent.
		 * @return the registry
		 */
		public DynamoDbLockRegistry build() {
			return new DynamoDbLockRegistry(this);
		}

	}

}
