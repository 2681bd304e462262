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
 * A Spring Integration lock registry that keeps its locks in DynamoDB. Across all
 * applications, at most one thread at a time holds a lock. Thread-safe; one registry
 * serves a whole application.
 *
 * <pre>{@code
 * LockRegistry<DistributedLock> registry = new DynamoDbLockRegistry(lockClient);
 * registry.executeLocked("orders-42", () -> fulfil(order));
 * }</pre>
 *
 * <p>
 * The locks are reentrant, and fair among the threads of one registry. Acquiring a lock
 * costs one write, and its last {@code unlock()} another one; nested acquisitions cost
 * nothing. A held lock is renewed in the background. A lock that was acquired with a time
 * to live is not renewed: it expires after that time, even if there are nested
 * acquisitions. {@link DistributedLock} here is Spring Integration's interface, not this
 * library's annotation of the same name.
 *
 * <ul>
 * <li>{@code lock()} and {@code tryLock()}, which makes one attempt, ignore interrupts
 * and keep the thread's interrupt flag. The other acquiring methods throw
 * {@link InterruptedException}, and then hold nothing.</li>
 * <li>If DynamoDB rejects a call or does not answer, acquiring methods throw
 * {@link CannotAcquireLockException}. Methods that wait indefinitely throw it after at
 * most two rejections, or after about 30 seconds if DynamoDB throttles calls or does not
 * answer. Threads of this registry that wait for the same key get it one after the
 * other.</li>
 * <li>If a wait is shorter than a call, one attempt is made: it lasts until the first
 * answer, or about 10 seconds if DynamoDB hangs. If a timed {@code tryLock} has seen a
 * holder and its time ends while a call hangs, it returns {@code false}. Until that call
 * has ended, a {@code tryLock()} for the same key may return {@code false} without a
 * call.</li>
 * <li>A nested acquisition of a lost lock returns {@code false}, or throws
 * {@link CannotAcquireLockException} if it has no return value. The thread's earlier
 * acquisitions then no longer count. The thread can acquire the lock again, and must
 * unlock only the new acquisition. An {@code unlock()} for an earlier one throws
 * {@link IllegalMonitorStateException} with the loss as its cause.</li>
 * <li>Acquiring methods also throw {@link IllegalStateException} and send nothing if the
 * thread holds the same lock through an annotated method or a
 * {@link io.github.dynamodblock.spring.LockTemplate}, because it would wait for itself.
 * This requires equal keys, as with an empty key prefix.</li>
 * <li>{@code unlock()} throws {@link IllegalMonitorStateException} in a thread that does
 * not own the lock, and {@link ConcurrentModificationException} if the lock was lost. If
 * DynamoDB does not confirm the release within one lease (at least 10 seconds, at most a
 * minute), it returns and logs a WARN. If the lock was lost or the release is not
 * confirmed, the thread no longer holds the lock.</li>
 * <li>{@code newCondition()} is not supported.</li>
 * </ul>
 */
public class DynamoDbLockRegistry
		implements RenewableLockRegistry<DistributedLock>, ExpirableLockRegistry<DistributedLock> {

	/**
	 * Separates the registry's keys from those of annotated methods, unless their name is
	 * "registry".
	 */
	static final String DEFAULT_KEY_PREFIX = "registry:";

	private final LockNaming naming;

	private final LockGrants grants;

	/** The lock of each key, as long as something references it. */
	private final Map<KeyedLock, WeakReference<KeyedLock>> locks = new WeakHashMap<>();

	/** Keeps references to the locks that threads hold. */
	private final Set<KeyedLock> inUse = ConcurrentHashMap.newKeySet();

	/**
	 * Creates a registry whose keys begin with {@code "registry:"}.
	 * @param lockClient the client that acquires the locks; it is not closed with the
	 * registry
	 */
	public DynamoDbLockRegistry(LockClient lockClient) {
		this(lockClient, new LockNaming(DEFAULT_KEY_PREFIX, null), UnaryOperator.identity());
	}

	/**
	 * Creates a registry with other keys, or with options for the requests.
	 * @param lockClient the client that acquires the locks; it is not closed with the
	 * registry
	 * @param naming how keys are formed. Registries with equal naming share their locks
	 * @param options applied to the request for each lock, and once here to validate
	 * them. The request has the name {@code "lock-registry"} for metrics and lists, no
	 * {@code holdAtMost}, and {@link LockRequest#deleteOnRelease deleteOnRelease}, which
	 * suits an unbounded set of keys such as those of message groups. The call sets the
	 * wait time and the time to live
	 * @throws IllegalArgumentException if an option is invalid
	 */
	public DynamoDbLockRegistry(LockClient lockClient, LockNaming naming, UnaryOperator<LockRequest> options) {
		this(naming, new LockGrants(lockClient, options, LockGrants.PATIENCE));
	}

	DynamoDbLockRegistry(LockNaming naming, LockGrants grants) {
		this.naming = Objects.requireNonNull(naming, "naming");
		this.grants = grants;
	}

	/**
	 * Returns the lock of a key. It is the same object as long as a thread holds the lock
	 * or something references the object.
	 * @param lockKey a simple value, such as a string, a number, an enum constant, a UUID
	 * or a date; values with the same text share one lock
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
	 * Sends a heartbeat for a lock now, which restarts its time to live. Only a lock that
	 * was acquired with a time to live needs this, because other locks are renewed in the
	 * background. Waits until DynamoDB answers or the lease has ended; ignores interrupts
	 * and keeps the interrupt flag.
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
	 * Sends a heartbeat for a lock now, and changes its time to live. If the lock is
	 * renewed in the background, the given time becomes its lease, and the renewals
	 * continue. Waits until DynamoDB answers or the lease has ended; ignores interrupts
	 * and keeps the interrupt flag.
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
	 * Does nothing. Locks that no thread holds and nothing references are garbage
	 * collected.
	 * @param age ignored
	 */
	@Override
	public void expireUnusedOlderThan(long age) {
	}

	/**
	 * Returns the lock that a thread of this registry holds, to read its fencing token or
	 * to check whether it is still held. Release it only with {@code unlock()}. Makes no
	 * call.
	 * @param lockKey the key, as for {@link #obtain}
	 * @return the lock, which may have been lost; empty if no thread holds it
	 */
	public Optional<HeldLock> heldLock(Object lockKey) {
		return Optional.ofNullable(lock(lockKey).held());
	}

	/** Returns the number of keys that have a lock object. */
	int size() {
		synchronized (this.locks) {
			return this.locks.size();
		}
	}

}
