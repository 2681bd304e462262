/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * The lock of one key, as threads see it. Holds nothing itself: each call finds the key's
 * entry, so that all such objects of a key are one lock, also when the registry has
 * forgotten it meanwhile. Thread-safe.
 */
final class KeyedLock implements DistributedLock {

	private static final Duration ONE_ATTEMPT = Duration.ZERO;

	private final LockKey key;

	private final LockEntries entries;

	private final LockGrants grants;

	KeyedLock(LockKey key, LockEntries entries, LockGrants grants) {
		this.key = key;
		this.entries = entries;
		this.grants = grants;
	}

	LockKey key() {
		return this.key;
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
		LockEntries.LockEntry entry = enter();
		entry.local().lock();
		require(entry, hold(entry, () -> this.grants.acquireUninterruptibly(this.key, timeToLive, null)));
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		LockEntries.LockEntry entry = enter();
		boolean locked = false;
		try {
			entry.local().lockInterruptibly();
			locked = true;
		}
		finally {
			if (!locked) {
				this.entries.leave(entry, 1);
			}
		}
		require(entry, hold(entry, () -> this.grants.acquire(this.key, null, null)));
	}

	@Override
	public boolean tryLock() {
		LockEntries.LockEntry entry = enter();
		if (!Uninterruptible.call(() -> entry.local().tryLock(0, TimeUnit.NANOSECONDS))) {
			this.entries.leave(entry, 1);
			return false;
		}
		return hold(entry, () -> this.grants.acquireUninterruptibly(this.key, null, ONE_ATTEMPT));
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
		LockEntries.LockEntry entry = enter();
		boolean locked = false;
		try {
			locked = entry.local().tryLock(patience, TimeUnit.NANOSECONDS);
		}
		finally {
			if (!locked) {
				this.entries.leave(entry, 1);
			}
		}
		long left = Math.max(0, patience - (System.nanoTime() - begun));
		return locked && hold(entry, () -> this.grants.acquire(this.key, timeToLive, Duration.ofNanos(left)));
	}

	private LockEntries.LockEntry enter() {
		// Before the local lock, whose owner may wait for this very thread.
		this.grants.refuseToWaitForItself(this.key, this.entries.held(this.key));
		return this.entries.enter(this);
	}

	/**
	 * Continues with the local lock, which is released unless the lock is held then.
	 */
	private <E extends Exception> boolean hold(LockEntries.LockEntry entry, Acquire<E> acquire) throws E {
		boolean locked = false;
		try {
			HeldLock held = entry.held();
			if (held == null) {
				held = acquire.acquire();
				entry.hold(held);
				locked = held != null;
			}
			else {
				locked = held.isHeld();
				if (!locked) {
					entry.lose(held);
					// So that no client has to wait for what is left of an expired lease.
					held.close();
				}
			}
			return locked;
		}
		finally {
			if (!locked) {
				giveUp(entry);
			}
		}
	}

	/** All holds of this thread; more than one only if the lock was lost. */
	private void giveUp(LockEntries.LockEntry entry) {
		int holds = entry.local().getHoldCount();
		entry.hold(null);
		for (int i = 0; i < holds; i++) {
			entry.local().unlock();
		}
		this.entries.leave(entry, holds);
	}

	private void require(LockEntries.LockEntry entry, boolean held) {
		if (!held) {
			throw new CannotAcquireLockException(
					"Lock '" + this.key + "' was lost since this thread had acquired it. "
							+ "Its holds are void: what they were to protect may have been done by others",
					entry.loss());
		}
	}

	@Override
	public void unlock() {
		LockEntries.LockEntry entry = this.entries.owned(this.key);
		if (entry.local().getHoldCount() > 1) {
			entry.local().unlock();
			this.entries.leave(entry, 1);
			return;
		}
		try {
			this.grants.release(entry.granted());
		}
		finally {
			giveUp(entry);
		}
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException(
				"A lock in DynamoDB has no conditions: the threads that wait may be of several processes");
	}

	@Override
	public String toString() {
		return "DynamoDbLock[" + this.key + ((this.entries.held(this.key) != null) ? ", held here]" : "]");
	}

	private static Duration checked(Duration timeToLive) {
		LockGrants.checkLease(Objects.requireNonNull(timeToLive, "ttl"));
		return timeToLive;
	}

	/**
	 * Asks DynamoDB for the lock.
	 */
	@FunctionalInterface
	private interface Acquire<E extends Exception> {

		@Nullable HeldLock acquire() throws E;

	}

}
