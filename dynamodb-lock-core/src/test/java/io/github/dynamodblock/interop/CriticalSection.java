/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * What the lock guards. It judges from outside both clients whether only one thread at a
 * time is in it. Thread-safe.
 */
final class CriticalSection {

	private final SharedLock lock;

	private final AtomicReference<@Nullable String> inside = new AtomicReference<>();

	private final Map<ClientKind, AtomicInteger> passages = new EnumMap<>(ClientKind.class);

	private final Queue<String> faults = new ConcurrentLinkedQueue<>();

	CriticalSection(SharedLock lock) {
		this.lock = lock;
		for (ClientKind kind : ClientKind.values()) {
			this.passages.put(kind, new AtomicInteger());
		}
	}

	/** Goes through the section, for a thread that was granted the lock. */
	void pass(Contender contender) {
		enter(contender);
		String holder = this.lock.holder();
		check(contender.ownerName().equals(holder),
				contender.ownerName() + " was inside, but the lock's item said " + holder);
		leave(contender);
	}

	void enter(Contender contender) {
		String before = this.inside.getAndSet(contender.ownerName());
		check(before == null, contender.ownerName() + " came in, but " + before + " was inside");
	}

	/** To be called before the lock is released. */
	void leave(Contender contender) {
		String before = this.inside.getAndSet(null);
		check(contender.ownerName().equals(before), contender.ownerName() + " left, but " + before + " was inside");
		passages(contender.kind()).incrementAndGet();
	}

	/** Remembers a fault, without an exception: a lock is released all the same. */
	void check(boolean fine, String fault) {
		if (!fine) {
			this.faults.add(fault);
		}
	}

	/** How often threads of this kind of client have gone through. */
	AtomicInteger passages(ClientKind kind) {
		AtomicInteger count = this.passages.get(kind);
		if (count == null) {
			throw new IllegalArgumentException("No count for " + kind);
		}
		return count;
	}

	/** How often the kind that has gone through least often has done so. */
	int leastPassages() {
		return this.passages.values().stream().mapToInt(AtomicInteger::get).min().orElseThrow();
	}

	/** What was wrong, in words; empty if all is well. */
	List<String> faults() {
		return List.copyOf(this.faults);
	}

}
