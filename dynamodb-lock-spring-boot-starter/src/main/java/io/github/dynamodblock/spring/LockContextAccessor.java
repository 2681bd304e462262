/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Propagates {@link LockContext} with Micrometer's context propagation, such as through
 * the operators of a Reactor chain with
 * {@code Hooks.enableAutomaticContextPropagation()}, or to the tasks of an executor.
 * Registered automatically if that library is on the class path.
 *
 * <p>
 * Another thread sees the locks but does not hold them. A locked method that it calls
 * does not join them, because it would run at the same time as their holder. A publisher
 * joins the locks of its Reactor context.
 */
public final class LockContextAccessor implements ThreadLocalAccessor<LockContext.Snapshot> {

	/**
	 * Creates the accessor.
	 */
	public LockContextAccessor() {
	}

	@Override
	public Object key() {
		return ReactiveLockContext.KEY;
	}

	@Override
	public LockContext.@Nullable Snapshot getValue() {
		LockContext.Snapshot locks = LockContext.capture();
		return locks.isEmpty() ? null : locks;
	}

	@Override
	public void setValue(LockContext.Snapshot value) {
		// A task may run in the thread that holds the locks, inside the call that
		// acquired them.
		LockContext.set(LockContext.capture().isWithin(value) ? value : value.propagated());
	}

	/**
	 * Restores the previous locks, which the thread can join again if it could before.
	 */
	@Override
	public void restore(LockContext.Snapshot previousValue) {
		LockContext.set(previousValue);
	}

	@Override
	public void setValue() {
		LockContext.set(LockContext.Snapshot.EMPTY);
	}

}
