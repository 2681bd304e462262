/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.LockNaming;

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

	/** Keeps the keys apart from those of annotated methods not named "registry". */
	static final String DEFAULT_KEY_PREFIX = "registry:";

	private final LockNaming naming;

	private final LockGrants grants;

	/** The lock of each key, as long as something references it. */
	private final Map<KeyedLock, WeakReference<KeyedLock>> locks = new WeakHashMap<>();

	/** References those that threads hold. */
	private final Set<KeyedLock> inUse = ConcurrentHashMap.newKeySet();

	/**
	 * A registry with default settings: every key begins with {@code "registry:"}.
	 * @param lockClient the client that acquires the locks; it is not closed with the
	 * registry
	 */
	public DynamoDbLockRegistry(LockClient lockClient) {
		this(lockClient, new LockNaming(DEFAULT_KEY_PREFIX, null), UnaryOperator.identity());
	}

	/**
	 * A registry with other keys, or with options of the requests for its locks.
	 * @param lockClient the client that acquires the locks; it is not closed with the
	 * registry
	 * @param naming how keys are made. Registries with one naming share their locks
	 * @param options applied to the request for each lock, and once here to see whether
	 * it is valid. The request has the name {@code "lock-registry"} for metrics and
	 * lists, no {@code holdAtMost}, and {@link LockRequest#deleteOnRelease
	 * deleteOnRelease}, best for an unbounded set of keys such as those of message
	 * groups. The wait time, and a time to live, are those of the call
	 * @throws IllegalArgumentException if an option is refused
	 */
	public DynamoDbLockRegistry(LockClient lockClient, LockNaming naming, UnaryOperator<LockRequest> options) {
		this(naming, new LockGrants(lockClient, options, LockGrants.PATIENCE));
	}

	DynamoDbLockRegistry(LockNaming naming, LockGrants grants) {
		this.naming = Objects.requireNonNull(naming, "naming");
		this.grants = grants;
	}

	/**
	 * The lock of a key. As long as a thread holds the lock or references the object, it
	 * is the same object.
	 * @param lockKey a simple value, such as a text, a number, an enum constant, a UUID
	 * or a date; values of equal text have one lock
	 * @return the lock
	 * @throws IllegalArgumentException if the key is of another kind, blank or too long
	 */
	@Override
	public DistributedLock obtain(Object lockKey) {
		return lock(lockKey);
	}

	private KeyedLock lock(Object lockKey) {
		KeyedLock lock = new KeyedLock(key(lockKey), this.grants, this.inUse);
		synchronized (this.locks) {
			WeakReference<KeyedLock> known = this.locks.get(lock);
			KeyedLock first = (known != null) ? known.get() : null;
			if (first != null) {
				return first;
			}
			this.locks.put(lock, new WeakReference<>(lock));
			return lock;
		}
	}

	private LockKey key(Object lockKey) {
		String text;
		try {
			text = LockNaming.text(Objects.requireNonNull(lockKey, "lockKey"));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("lockKey " + ex.getMessage(), ex);
		}
		return this.naming.key(text);
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
		lock(lockKey).renew(null);
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
		lock(lockKey).renew(Objects.requireNonNull(ttl, "ttl"));
	}

	/**
	 * Does nothing: the garbage collector forgets locks that no thread holds and nothing
	 * references.
	 * @param age ignored
	 */
	@Override
	public void expireUnusedOlderThan(long age) {
	}

	/**
	 * The lock that a thread of this registry holds now, for its fencing token or to ask
	 * whether it is still held. Release it by {@code unlock()} only. Costs no call.
	 * @param lockKey the key, as for {@link #obtain}
	 * @return the lock, which may have been lost; empty if no thread holds it
	 */
	public Optional<HeldLock> heldLock(Object lockKey) {
		return Optional.ofNullable(lock(lockKey).held());
	}

	/** How many keys are remembered. */
	int size() {
		synchronized (this.locks) {
			return this.locks.size();
		}
	}

}
