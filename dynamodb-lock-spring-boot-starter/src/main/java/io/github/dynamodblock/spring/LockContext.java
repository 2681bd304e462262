/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * The locks under which the current thread runs: those of the {@link DistributedLock}
 * methods on its stack. A thread that is started from there has none of them.
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

	private static final ThreadLocal<@Nullable Entry> INNERMOST = new ThreadLocal<>();

	private LockContext() {
	}

	/**
	 * The lock of the innermost annotated method that this thread runs. It may have been
	 * lost meanwhile: ask it.
	 * @return the lock, or empty if the thread runs under none
	 */
	public static Optional<HeldLock> current() {
		return Optional.ofNullable(INNERMOST.get()).map(Entry::lock);
	}

	/**
	 * A lock under which this thread runs already.
	 * @param client the client that granted it
	 * @param key the lock
	 * @return the lock, or empty if the thread does not run under it
	 */
	public static Optional<HeldLock> find(LockClient client, LockKey key) {
		for (Entry entry = INNERMOST.get(); entry != null; entry = entry.outer()) {
			if (entry.client() == client && entry.lock().key().equals(key)) {
				return Optional.of(entry.lock());
			}
		}
		return Optional.empty();
	}

	/**
	 * Makes a lock the current one of this thread, for code that runs the work of others
	 * under a lock. Neither takes nor releases the lock.
	 * @param client the client that granted it
	 * @param lock the lock
	 * @return ends it; to be closed by the same thread, innermost first
	 */
	public static Scope open(LockClient client, HeldLock lock) {
		Entry outer = INNERMOST.get();
		INNERMOST.set(new Entry(client, lock, outer));
		return () -> {
			if (outer == null) {
				INNERMOST.remove();
			}
			else {
				INNERMOST.set(outer);
			}
		};
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

	private record Entry(LockClient client, HeldLock lock, @Nullable Entry outer) {
	}

}
