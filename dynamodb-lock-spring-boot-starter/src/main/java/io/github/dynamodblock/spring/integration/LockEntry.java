/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.HeldLock;
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

}
