/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * The locks under which the current thread runs: those of the {@link DistributedLock}
 * methods and {@link LockTemplate} calls on its stack. A thread that is started from
 * there has none of them, unless Micrometer's context propagation brings them: then it
 * sees them, but they are not its own. What runs in a Reactor chain asks
 * {@link ReactiveLockContext}.
 *
 * <pre class="code">
 * &#64;DistributedLock(name = "orders", key = "#order.id")
 * public void fulfil(Order order) {
 *     HeldLock lock = LockContext.current().orElseThrow();
 *     write(order, lock.fencingToken());
 * }
 * </pre>
 */
public final class LockContext {

	private static final ThreadLocal<@Nullable Snapshot> INNERMOST = new ThreadLocal<>();

	private LockContext() {
	}

	/**
	 * The lock of the innermost annotated method or template call that this thread runs;
	 * of several, the first in the order of their keys. It may have been lost meanwhile:
	 * ask it.
	 * @return the lock, or empty if the thread runs under none
	 */
	public static Optional<HeldLock> current() {
		return currentLocks().stream().findFirst();
	}

	/**
	 * All locks of the innermost annotated method or template call that this thread runs.
	 * They are more than one if the key of an annotated method is a collection or an
	 * array.
	 * @return the locks in the order of their keys; empty if the thread runs under none
	 */
	public static List<HeldLock> currentLocks() {
		return capture().locks();
	}

	/**
	 * A lock under which this thread runs already. One that was released meanwhile is
	 * not; one that was lost is, so that a check of it reports the loss. One that context
	 * propagation brought from another thread is not: both threads would run at once.
	 * @param client the client that granted it
	 * @param key the lock
	 * @return the lock, or empty if the thread does not run under it
	 */
	public static Optional<HeldLock> find(LockClient client, LockKey key) {
		return capture().find(client, key);
	}

	/**
	 * Makes a lock the current one of this thread, for code that runs the work of others
	 * under a lock. Neither takes nor releases the lock.
	 * @param client the client that granted it
	 * @param lock the lock
	 * @return ends it; to be closed by the same thread, innermost first
	 */
	public static Scope open(LockClient client, HeldLock lock) {
		return capture().with(client, List.of(lock)).open();
	}

	/**
	 * What this thread runs under now, for code that continues its work elsewhere, such
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
	 * The time during which a lock is the current one of a thread.
	 */
	@FunctionalInterface
	public interface Scope extends AutoCloseable {

		/**
		 * Makes the lock that was current before the current one again.
		 */
		@Override
		void close();

	}

	/**
	 * The locks under which something runs, innermost first. Immutable. It holds nothing:
	 * its locks may have been released or lost since.
	 */
	public static final class Snapshot {

		static final Snapshot EMPTY = new Snapshot(null, List.of(), null, false);

		private final @Nullable LockClient client;

		private final List<HeldLock> locks;

		private final @Nullable Snapshot outer;

		/** Whether another thread runs under these, and whatever is outside of them. */
		private final boolean propagated;

		private Snapshot(@Nullable LockClient client, List<HeldLock> locks, @Nullable Snapshot outer,
				boolean propagated) {
			this.client = client;
			this.locks = locks;
			this.outer = outer;
			this.propagated = propagated;
		}

		/** The same locks, to be seen but not to be joined. */
		Snapshot propagated() {
			return new Snapshot(this.client, this.locks, this.outer, true);
		}

		/** Whether this is that one, or goes on inside of it. */
		boolean isWithin(Snapshot other) {
			for (Snapshot each = this; each != null; each = each.outer) {
				if (each == other) {
					return true;
				}
			}
			return false;
		}

		/**
		 * Adds the locks of one more call.
		 * @param client the client that granted them
		 * @param locks the locks in the order of their keys, at least one
		 * @return these locks and, outside of them, those of this snapshot
		 */
		public Snapshot with(LockClient client, List<HeldLock> locks) {
			Objects.requireNonNull(client, "client");
			if (locks.isEmpty()) {
				throw new IllegalArgumentException("locks is empty; give the locks of the call, at least one");
			}
			return new Snapshot(client, List.copyOf(locks), this, false);
		}

		/**
		 * The locks of the innermost call.
		 * @return the locks in the order of their keys; empty if there is no such call
		 */
		public List<HeldLock> locks() {
			return this.locks;
		}

		/**
		 * Whether this is what a thread has that runs under no lock.
		 * @return whether there is none
		 */
		public boolean isEmpty() {
			return this.locks.isEmpty();
		}

		/**
		 * A lock of any of the calls, unless it was released meanwhile, or is another
		 * thread's.
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

		/**
		 * Makes these the locks under which the current thread runs, in place of those it
		 * has. Neither takes nor releases a lock.
		 * @return ends it; to be closed by the same thread
		 */
		public Scope open() {
			Snapshot before = capture();
			set(this);
			return () -> set(before);
		}

	}

}
