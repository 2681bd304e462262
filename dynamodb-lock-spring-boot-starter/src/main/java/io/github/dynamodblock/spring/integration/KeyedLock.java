/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * The lock of one key; a registry has one such object per key. A thread first acquires
 * the local lock, which counts its holds, and then the lock in DynamoDB. Thread-safe.
 */
final class KeyedLock implements DistributedLock {

	private final LockKey key;

	private final LockGrants grants;

	/** The registry's locks that threads hold. */
	private final Set<KeyedLock> inUse;

	/** Fair, so that no thread of this process starves. */
	private final ReentrantLock local = new ReentrantLock(true);

	/** Written by the owner of the local lock. */
	private volatile @Nullable HeldLock held;

	/** Written by the owner of the local lock; outlives its holds. */
	private volatile @Nullable Loss loss;

	/**
	 * Creates the lock of a key.
	 * @param key the key
	 * @param grants how the lock is acquired and released in DynamoDB
	 * @param inUse contains this lock while a thread holds it
	 */
	KeyedLock(LockKey key, LockGrants grants, Set<KeyedLock> inUse) {
		this.key = key;
		this.grants = grants;
		this.inUse = inUse;
	}

	/** Returns the lock in DynamoDB if a thread of this process holds it. */
	@Nullable HeldLock held() {
		return this.held;
	}

	@Override
	public void lock() {
		lockUninterruptibly(null);
	}

	@Override
	public void lock(Duration ttl) {
		lockUninterruptibly(checked(ttl));
	}

	private void lockUninterruptibly(@Nullable Duration timeToLive) {
		refuseToWaitForItself();
		this.local.lock();
		require(hold(timeToLive, null, this.grants::askUninterruptibly));
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		refuseToWaitForItself();
		this.local.lockInterruptibly();
		require(hold(null, null, this.grants::ask));
	}

	@Override
	public boolean tryLock() {
		refuseToWaitForItself();
		// tryLock() alone would overtake waiting threads.
		return (this.local.isHeldByCurrentThread() || !this.local.hasQueuedThreads()) && this.local.tryLock()
				&& hold(null, Duration.ZERO, this.grants::askUninterruptibly);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return tryLockFor(unit.toNanos(time), null);
	}

	@Override
	public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
		return tryLockFor(TimeUnit.NANOSECONDS.convert(waitTime), checked(ttl));
	}

	private boolean tryLockFor(long nanos, @Nullable Duration timeToLive) throws InterruptedException {
		long begun = System.nanoTime();
		long patience = Math.max(0, nanos);
		refuseToWaitForItself();
		if (!this.local.tryLock(patience, TimeUnit.NANOSECONDS)) {
			return false;
		}
		long left = Math.max(0, patience - (System.nanoTime() - begun));
		return hold(timeToLive, Duration.ofNanos(left), this.grants::ask);
	}

	/**
	 * Called before the local lock is acquired, because its owner may wait for this
	 * thread.
	 */
	private void refuseToWaitForItself() {
		this.grants.refuseToWaitForItself(this.key, this.held);
	}

	/**
	 * Acquires the lock in DynamoDB, or releases the local lock if that fails.
	 */
	private <E extends Exception> boolean hold(@Nullable Duration timeToLive, @Nullable Duration waitTime,
			LockGrants.Ask<E> ask) throws E {
		boolean locked = false;
		try {
			HeldLock outer = this.held;
			if (outer != null) {
				locked = outer.isHeld();
				if (!locked) {
					lose(outer);
				}
				return locked;
			}
			HeldLock granted = this.grants.acquire(this.key, timeToLive, waitTime, ask);
			if (granted != null) {
				begin(granted);
				locked = true;
			}
			return locked;
		}
		finally {
			if (!locked) {
				giveUp();
			}
		}
	}

	private void begin(HeldLock granted) {
		this.held = granted;
		this.inUse.add(this);
		if (lossOfThisThread() != null) {
			this.loss = null;
		}
	}

	/** Records for outer calls of this thread why it no longer holds the lock. */
	private void lose(HeldLock lost) {
		lost.lossReason()
			.map((reason) -> new LockLostException(lost.key(), reason, lost.fencingToken()))
			.ifPresent((exception) -> this.loss = new Loss(Thread.currentThread().getId(), exception));
		this.grants.abandon(lost);
	}

	private @Nullable LockLostException lossOfThisThread() {
		Loss latest = this.loss;
		return (latest != null && latest.threadId() == Thread.currentThread().getId()) ? latest.exception() : null;
	}

	/** Ends all holds of this thread; there are several only if the lock was lost. */
	private void giveUp() {
		this.held = null;
		this.inUse.remove(this);
		for (int holds = this.local.getHoldCount(); holds > 0; holds--) {
			this.local.unlock();
		}
	}

	private void require(boolean locked) {
		if (!locked) {
			throw new CannotAcquireLockException(
					"Lock '" + this.key + "' was lost after this thread had acquired it. The earlier acquisitions no "
							+ "longer count: another owner may have done the work",
					lossOfThisThread());
		}
	}

	@Override
	public void unlock() {
		HeldLock owned = owned();
		if (this.local.getHoldCount() > 1) {
			this.local.unlock();
			return;
		}
		try {
			this.grants.release(owned);
		}
		finally {
			giveUp();
		}
	}

	/** Sends a heartbeat for the lock, which the current thread owns. */
	void renew(@Nullable Duration timeToLive) {
		this.grants.renew(owned(), timeToLive);
	}

	private HeldLock owned() {
		if (this.local.isHeldByCurrentThread()) {
			return Objects.requireNonNull(this.held, "held");
		}
		// In a finally block, this exception would hide an earlier one.
		LockLostException lost = lossOfThisThread();
		IllegalMonitorStateException exception = new IllegalMonitorStateException((lost != null)
				? "The current thread does not own lock '" + this.key
						+ "' any more: a nested acquisition found that the lock was lost (" + lost.reason()
						+ "), which ended all of the thread's acquisitions"
				: "The current thread does not own lock '" + this.key
						+ "'. Unlock or renew it only in the thread that locked it, and unlock it once for each time "
						+ "it was locked");
		if (lost != null) {
			exception.initCause(lost);
		}
		throw exception;
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException(
				"A DynamoDB lock does not support conditions (newCondition()), because the waiting threads may "
						+ "belong to several processes");
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof KeyedLock lock && this.grants == lock.grants && this.key.equals(lock.key);
	}

	@Override
	public int hashCode() {
		return this.key.hashCode();
	}

	@Override
	public String toString() {
		return "DynamoDbLock[" + this.key + ((this.held != null) ? ", held here]" : "]");
	}

	private static Duration checked(Duration timeToLive) {
		LockGrants.checkLease(Objects.requireNonNull(timeToLive, "ttl"));
		return timeToLive;
	}

	/**
	 * Why a thread no longer holds the lock. Does not reference the thread, which may end
	 * long before the lock is collected.
	 */
	private record Loss(long threadId, LockLostException exception) {

	}

}
