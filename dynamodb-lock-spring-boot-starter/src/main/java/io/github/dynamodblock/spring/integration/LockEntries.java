/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;

/**
 * The keys that a registry remembers, each with one entry. Entries in use are apart from
 * the others, so that only these can be forgotten. Thread-safe.
 */
final class LockEntries {

	private final int capacity;

	private final LockGrants grants;

	private final LongSupplier nanoClock;

	private final ReentrantLock lock = new ReentrantLock();

	/** Those that a thread holds or waits for. */
	private final Map<LockKey, LockEntry> inUse = new HashMap<>();

	/** The one that was not used for longest comes first. */
	private final Map<LockKey, LockEntry> unused = new LinkedHashMap<>();

	LockEntries(int capacity, LockGrants grants, LongSupplier nanoClock) {
		this.capacity = capacity;
		this.grants = grants;
		this.nanoClock = nanoClock;
	}

	KeyedLock obtain(LockKey key) {
		LockEntry entry = enter(new KeyedLock(key, this, this.grants));
		leave(entry, 1);
		return entry.view();
	}

	/**
	 * Finds or makes the entry of a lock's key, and keeps it until it is
	 * {@linkplain #leave left} as often as it was entered.
	 * @param view the lock; if its key is not remembered, the registry gives it to
	 * others, too
	 * @return the entry
	 * @throws CannotAcquireLockException if all entries are in use
	 */
	LockEntry enter(KeyedLock view) {
		LockKey key = view.key();
		this.lock.lock();
		try {
			LockEntry entry = this.inUse.get(key);
			if (entry == null) {
				entry = this.unused.remove(key);
				if (entry == null) {
					makeRoom(key);
					entry = new LockEntry(view);
				}
				this.inUse.put(key, entry);
			}
			entry.addUses(1);
			entry.use(this.nanoClock.getAsLong());
			return entry;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void makeRoom(LockKey key) {
		if (this.inUse.size() + this.unused.size() < this.capacity) {
			return;
		}
		Iterator<LockEntry> eldestFirst = this.unused.values().iterator();
		if (!eldestFirst.hasNext()) {
			throw new CannotAcquireLockException("Lock '" + key + "' cannot be obtained: the registry remembers "
					+ this.capacity + " locks at most, and threads hold or wait for all of them. Unlock some, or "
					+ "raise the registry's capacity");
		}
		eldestFirst.next();
		eldestFirst.remove();
	}

	/**
	 * Ends uses of an entry.
	 * @param entry the entry
	 * @param times how many
	 */
	void leave(LockEntry entry, int times) {
		this.lock.lock();
		try {
			entry.addUses(-times);
			if (entry.uses() == 0) {
				LockKey key = entry.view().key();
				this.inUse.remove(key);
				this.unused.put(key, entry);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The entry whose lock the current thread holds.
	 * @param key the key
	 * @return the entry
	 * @throws IllegalMonitorStateException if it does not hold it
	 */
	LockEntry owned(LockKey key) {
		LockEntry entry = find(key);
		if (entry == null || !entry.local().isHeldByCurrentThread()) {
			throw notOwned(key);
		}
		return entry;
	}

	/** Thrown in a {@code finally} block, it hides the failure that went before. */
	private IllegalMonitorStateException notOwned(LockKey key) {
		LockLostException loss = loss(key);
		if (loss == null) {
			return new IllegalMonitorStateException("The current thread does not own lock '" + key
					+ "'. Unlock and renew it in the thread that locked it, once for each time");
		}
		IllegalMonitorStateException exception = new IllegalMonitorStateException("The current thread does not own "
				+ "lock '" + key + "' any more: a nested acquire found that the lock was lost (" + loss.reason()
				+ "), which voided all holds of the thread");
		exception.initCause(loss);
		return exception;
	}

	private @Nullable LockLostException loss(LockKey key) {
		this.lock.lock();
		try {
			LockEntry entry = this.inUse.getOrDefault(key, this.unused.get(key));
			return (entry != null) ? entry.loss() : null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable LockEntry find(LockKey key) {
		this.lock.lock();
		try {
			return this.inUse.get(key);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Nullable HeldLock held(LockKey key) {
		LockEntry entry = find(key);
		return (entry == null) ? null : entry.held();
	}

	void renew(LockKey key, @Nullable Duration timeToLive) {
		this.grants.renew(owned(key).granted(), timeToLive);
	}

	void expireUnusedOlderThan(long nanos) {
		this.lock.lock();
		try {
			long now = this.nanoClock.getAsLong();
			this.unused.values().removeIf((entry) -> now - entry.lastUsed() >= nanos);
		}
		finally {
			this.lock.unlock();
		}
	}

	int size() {
		this.lock.lock();
		try {
			return this.inUse.size() + this.unused.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * What the registry knows of one key: which of its threads may deal with it, and the
	 * lock in DynamoDB while one holds it.
	 */
	static final class LockEntry {

		private final KeyedLock view;

		/** Fair, so that no thread of this process starves. */
		private final ReentrantLock local = new ReentrantLock(true);

		/** Written by the thread that has the local lock. */
		private volatile @Nullable HeldLock held;

		/** Written likewise; outlives that thread's holds. */
		private volatile @Nullable Loss loss;

		/** Holds and waiting threads; guarded by the entries' lock. */
		private int uses;

		/** On the nano clock; guarded by the entries' lock. */
		private long lastUsed;

		LockEntry(KeyedLock view) {
			this.view = view;
		}

		KeyedLock view() {
			return this.view;
		}

		ReentrantLock local() {
			return this.local;
		}

		@Nullable HeldLock held() {
			return this.held;
		}

		/** What the current thread holds; it has the local lock. */
		HeldLock granted() {
			return Objects.requireNonNull(this.held, "held");
		}

		void hold(@Nullable HeldLock lock) {
			this.held = lock;
			if (lock != null && loss() != null) {
				this.loss = null;
			}
		}

		/**
		 * Remembers why the current thread holds nothing any more, for its outer calls.
		 * @param lost the lock, which is not held any more
		 */
		void lose(HeldLock lost) {
			lost.lossReason()
				.map((reason) -> new LockLostException(lost.key(), reason, lost.fencingToken()))
				.ifPresent((exception) -> this.loss = new Loss(new WeakReference<>(Thread.currentThread()), exception));
		}

		/**
		 * How the current thread lost its holds.
		 * @return the loss that a nested acquire found, or {@code null} if there is none
		 */
		@Nullable LockLostException loss() {
			Loss latest = this.loss;
			return (latest != null && latest.thread().refersTo(Thread.currentThread())) ? latest.exception() : null;
		}

		int uses() {
			return this.uses;
		}

		void addUses(int more) {
			this.uses += more;
		}

		long lastUsed() {
			return this.lastUsed;
		}

		void use(long now) {
			this.lastUsed = now;
		}

		private record Loss(WeakReference<Thread> thread, LockLostException exception) {

		}

	}

}
