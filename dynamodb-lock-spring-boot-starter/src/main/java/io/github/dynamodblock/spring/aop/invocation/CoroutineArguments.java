/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import io.github.dynamodblock.spring.CoroutineLockContext;
import io.github.dynamodblock.spring.LockContext;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a suspend function, of which the last one is its continuation. Use it
 * only if Kotlin coroutines are on the class path.
 */
final class CoroutineArguments {

	private CoroutineArguments() {
	}

	/**
	 * Adds locks to the function's coroutine context. Spring runs the function in the
	 * context of its continuation.
	 */
	static @Nullable Object[] within(LockContext.Snapshot locks, @Nullable Object[] arguments) {
		@Nullable Object[] changed = arguments.clone();
		int last = changed.length - 1;
		if (changed[last] instanceof Continuation<?> continuation) {
			changed[last] = new Located<>(continuation, continuation.getContext().plus(CoroutineLockContext.of(locks)));
		}
		return changed;
	}

	/** A continuation in another context. */
	private record Located<T>(Continuation<T> continuation, CoroutineContext context) implements Continuation<T> {

		@Override
		public CoroutineContext getContext() {
			return this.context;
		}

		@Override
		public void resumeWith(Object result) {
			this.continuation.resumeWith(result);
		}

	}

}
