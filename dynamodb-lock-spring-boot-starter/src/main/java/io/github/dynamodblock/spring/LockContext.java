/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Provides the locks under which the current thread runs: those of the
 * {@link DistributedLock} methods and {@link LockTemplate} calls on its stack. Threads
 * that this thread starts do not inherit the locks. With Micrometer's context
 * propagation, other threads see the locks, but do not hold them. In a Reactor chain, use
 * {@link ReactiveLockContext}.
 *
 * <pre class="code"> &#64;DistributedLock(name = "orders", key = "#order.id") public void
 * fulfil(Order order) { HeldLock lock = LockContext.current().orElseThrow(); write(order,
 * lock.fencingToken()); } </pre>
 */
public final class LockContext {

	private static final ThreadLocal<@Nullable Snapshot> INNERMOST = new ThreadLocal<>();

	private LockContext() {
	}

	/**
	 * Returns the lock of the innermost annotated method or template call that this
	 * thread runs; if it has several, the first in the order of their keys. The lock may
	 * have been lost since; see {@link HeldLock#isHeld()}.
	 * @return the lock, or empty if the thread runs under none
	 */
	public static Optional<HeldLock> current() {
		return currentLocks().stream().findFirst();
	}

	/**
	 * Returns all locks of the innermost annotated method or template call that this
	 * thread runs. There are several only if the key of an annotated method is a
	 * collection or an array.
	 * @return the locks in the order of their keys; empty if the thread runs under none
	 */
	public static List<HeldLock> currentLocks() {
		return capture().locks();
	}

	/**
	 * Finds a lock under which this thread already runs. Lost locks are found too, so
	 * {@link HeldLock#ensureHeld()} reports the loss; released locks are not. Locks that
	 * context propagation brought from another thread are not found, because both threads
	 * may run at the same time.
	 * @param client the client that granted it
	 * @param key the lock
	 * @return the lock, or empty if the thread does not run under it
	 */
	public static Optional<HeldLock> find(LockClient client, LockKey key) {
		return capture().find(client, key);
	}

	/**
	 * Makes a lock the current one of this thread, for code that runs an application's
	 * work under a lock. Neither acquires nor releases the lock.
	 * @param client the client that granted it
	 * @param lock the lock
	 * @return the scope, which the same thread must close, innermost first
	 */
	public static Scope open(LockClient client, HeldLock lock) {
		return capture().with(client, List.of(lock)).open();
	}

	/**
	 * Captures the locks of this thread, for code that continues its work elsewhere, such
	 * as in another thread.
	 * @return the locks of this thread
	 */
	public static Snapshot capture() {
		Snapshot innermost = INNERMOST.get();
		return (innermost != null) ? innermost : Snapshot.EMPTY;
	}

	static void set(Snapshot snapshot) {
		if (snapshot.isEmpty()) {
			INNERMOST.remove();
		}
		else {
			INNERMOST.set(snapshot);
		}
	}

	/**
	 * A scope in which a lock is the current one of a thread.
	 */
	@FunctionalInterface
	public interface Scope extends AutoCloseable {

		/**
		 * Restores the lock that was current before.
		 */
		@Override
		void close();

	}

	/**
	 * A snapshot of the locks under which code runs, innermost first. Immutable. It does
	 * not keep the locks held; they may have been released or lost since.
	 */
	public static final class Snapshot {

		static final Snapshot EMPTY = new Snapshot(null, List.of(), null, false);

		private final @Nullable LockClient client;

		private final List<HeldLock> locks;

		private final @Nullable Snapshot outer;

		/** Whether these locks and the outer ones belong to another thread. */
		private final boolean propagated;

		private Snapshot(@Nullable LockClient client, List<HeldLock> locks, @Nullable Snapshot outer,
				boolean propagated) {
			this.client = client;
			this.locks = locks;
			this.outer = outer;
			this.propagated = propagated;
		}

		/**
		 * Returns the same locks for another thread, which sees them but cannot join
		 * them.
		 */
		Snapshot propagated() {
			return new Snapshot(this.client, this.locks, this.outer, true);
		}

		/**
		 * Returns whether this snapshot is the other one, or is nested in the other one.
		 */
		boolean isWithin(Snapshot other) {
			for (Snapshot each = this; each != null; each = each.outer) {
				if (each == other) {
					return true;
				}
			}
			return false;
		}

		/**
		 * Adds the locks of a nested call.
		 * @param client the client that granted them
		 * @param locks the locks in the order of their keys, at least one
		 * @return a snapshot with these locks inside those of this one
		 */
		public Snapshot with(LockClient client, List<HeldLock> locks) {
			Objects.requireNonNull(client, "client");
			if (locks.isEmpty()) {
				throw new IllegalArgumentException("locks is empty; pass at least one lock");
			}
			return new Snapshot(client, List.copyOf(locks), this, false);
		}

		/**
		 * Returns the locks of the innermost call.
		 * @return the locks in the order of their keys; empty if there is no such call
		 */
		public List<HeldLock> locks() {
			return this.locks;
		}

		/**
		 * Returns the locks of all calls, those of the innermost call first.
		 * @return the locks; empty if there is no such call
		 */
		public List<HeldLock> all() {
			List<HeldLock> all = new ArrayList<>();
			for (Snapshot each = this; each != null; each = each.outer) {
				all.addAll(each.locks);
			}
			return all;
		}

		/**
		 * Returns whether this is the snapshot of a thread that runs under no lock.
		 * @return whether there are no locks
		 */
		public boolean isEmpty() {
			return this.locks.isEmpty();
		}

		/**
		 * Finds a lock of any of the calls. Does not find released locks and those of
		 * another thread.
		 * @param client the client that granted it
		 * @param key the lock
		 * @return the lock, held or lost; or empty
		 */
		public Optional<HeldLock> find(LockClient client, LockKey key) {
			for (Snapshot each = this; each != null && !each.propagated; each = each.outer) {
				if (each.client == client) {
					for (HeldLock lock : each.locks) {
						if (lock.key().equals(key) && (lock.isHeld() || lock.lossReason().isPresent())) {
							return Optional.of(lock);
						}
					}
				}
			}
			return Optional.empty();
		}

		/** Finds a lock that fulfils a request; for a semaphore, the lock of any slot. */
		Optional<HeldLock> find(LockClient client, LockRequest request) {
			return request.keys().stream().flatMap((key) -> find(client, key).stream()).findFirst();
		}

		/**
		 * Replaces the locks of the current thread with these. Neither acquires nor
		 * releases a lock.
		 * @return the scope, which the same thread must close
		 */
		public Scope open() {
			Snapshot before = capture();
			set(this);
			return () -> set(before);
		}

	}

}
