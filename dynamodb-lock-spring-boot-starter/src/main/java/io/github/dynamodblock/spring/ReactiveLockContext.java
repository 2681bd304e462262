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
 * The locks under which a Reactor chain runs: those of the {@link DistributedLock}
 * methods whose {@code Mono} or {@code Flux} it is part of, whatever thread it is on.
 * Kotlin coroutines have them, too, and those of {@link LockContext}.
 *
 * <pre class="code">
 * &#64;DistributedLock(name = "orders", key = "#order.id")
 * public Mono&lt;Void&gt; fulfil(Order order) {
 *     return ReactiveLockContext.current().flatMap((lock) -&gt; write(order, lock.fencingToken()));
 * }
 * </pre>
 *
 * <p>
 * Needs Reactor on the class path.
 */
public final class ReactiveLockContext {

	/**
	 * Under which key a Reactor context has a {@link LockContext.Snapshot}.
	 */
	public static final String KEY = "io.github.dynamodblock.locks";

	private ReactiveLockContext() {
	}

	/**
	 * The lock of the innermost annotated method that the subscriber is part of; of
	 * several, the first in the order of their keys. It may have been lost meanwhile: ask
	 * it.
	 * @return the lock, or empty if the subscriber runs under none
	 */
	public static Mono<HeldLock> current() {
		return currentLocks().flatMap((locks) -> Mono.justOrEmpty(locks.stream().findFirst()));
	}

	/**
	 * All locks of the innermost annotated method that the subscriber is part of.
	 * @return one list, in the order of their keys; it is empty if the subscriber runs
	 * under none
	 */
	public static Mono<List<HeldLock>> currentLocks() {
		return Mono.deferContextual((context) -> Mono.just(capture(context).locks()));
	}

	/**
	 * What a subscriber runs under: the locks in its Reactor context; if there are none,
	 * those of the thread that subscribes.
	 * @param context the subscriber's context
	 * @return the locks
	 */
	public static LockContext.Snapshot capture(ContextView context) {
		LockContext.Snapshot locks = context.getOrDefault(KEY, LockContext.Snapshot.EMPTY);
		return (locks == null || locks.isEmpty()) ? LockContext.capture() : locks;
	}

	/**
	 * Puts locks into a Reactor context, for code that runs the work of others under a
	 * lock.
	 * @param context the context
	 * @param locks the locks
	 * @return a context with these locks in place of those it has
	 */
	public static Context put(Context context, LockContext.Snapshot locks) {
		return context.put(KEY, locks);
	}

}
