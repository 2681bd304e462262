/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.List;

import io.github.dynamodblock.HeldLock;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Provides the locks under which a Reactor chain runs, on any thread. They belong to the
 * {@link DistributedLock} methods whose {@code Mono} or {@code Flux} the chain is part
 * of. Kotlin coroutines can use both this class and {@link LockContext}.
 *
 * <pre class="code"> &#64;DistributedLock(name = "orders", key = "#order.id") public
 * Mono&lt;Void&gt; fulfil(Order order) { return ReactiveLockContext.current().single()
 * .flatMap((lock) -&gt; write(order, lock.fencingToken())); } </pre>
 *
 * <p>
 * Requires Reactor on the class path.
 */
public final class ReactiveLockContext {

	/**
	 * The key of the {@link LockContext.Snapshot} in a Reactor context.
	 */
	public static final String KEY = "io.github.dynamodblock.locks";

	private ReactiveLockContext() {
	}

	/**
	 * Returns the lock of the innermost annotated method that the subscriber is part of;
	 * if it has several, the first in the order of their keys. The lock may have been
	 * lost since; see {@link HeldLock#isHeld()}.
	 * @return the lock, or empty if the subscriber runs under none; use {@code single()}
	 * to make that an error
	 */
	public static Mono<HeldLock> current() {
		return currentLocks().flatMap((locks) -> Mono.justOrEmpty(locks.stream().findFirst()));
	}

	/**
	 * Returns all locks of the innermost annotated method that the subscriber is part of.
	 * @return one list, in the order of the keys; empty if the subscriber runs under no
	 * lock
	 */
	public static Mono<List<HeldLock>> currentLocks() {
		return Mono.deferContextual((context) -> Mono.just(capture(context).locks()));
	}

	/**
	 * Captures the locks in a subscriber's Reactor context. If there are none, captures
	 * those of the subscribing thread.
	 * @param context the subscriber's context
	 * @return the locks
	 */
	public static LockContext.Snapshot capture(ContextView context) {
		LockContext.Snapshot locks = context.getOrDefault(KEY, LockContext.Snapshot.EMPTY);
		return (locks == null || locks.isEmpty()) ? LockContext.capture() : locks;
	}

	/**
	 * Puts locks into a Reactor context, for code that runs an application's work under a
	 * lock.
	 * @param context the context
	 * @param locks the locks
	 * @return a context with these locks instead of its previous ones
	 */
	public static Context put(Context context, LockContext.Snapshot locks) {
		return context.put(KEY, locks);
	}

}
