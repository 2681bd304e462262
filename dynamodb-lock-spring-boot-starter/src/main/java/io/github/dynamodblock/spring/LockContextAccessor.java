/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Lets {@link LockContext} follow where Micrometer's context propagation leads, such as
 * through the operators of a Reactor chain with
 * {@code Hooks.enableAutomaticContextPropagation()}, or into the tasks of an executor.
 * Found by itself when that library is on the class path.
 *
 * <p>
 * Where it leads to another thread, that thread sees the locks and does not hold them: a
 * locked method which is called there does not join them, since it would run beside the
 * one that holds them. A publisher joins the locks of its Reactor context.
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
		// A task may run in the thread that holds them, inside of the call that took
		// them.
		LockContext.set(LockContext.capture().isWithin(value) ? value : value.propagated());
	}

	/** What the thread had before is its own, if it was. */
	@Override
	public void restore(LockContext.Snapshot previousValue) {
		LockContext.set(previousValue);
	}

	@Override
	public void setValue() {
		LockContext.set(LockContext.Snapshot.EMPTY);
	}

}
