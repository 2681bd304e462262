/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockLostException;
import org.jspecify.annotations.Nullable;

/**
 * What the registry knows of one key: which of its threads may deal with it, and the lock
 * in DynamoDB while one holds it.
 */
final class LockEntry {

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
