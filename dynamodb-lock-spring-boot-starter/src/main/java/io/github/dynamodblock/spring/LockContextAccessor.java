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
 * {@code Hooks.enableAutomaticContextPropagation()}. Found by itself when that library is
 * on the class path.
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
		LockContext.set(value);
	}

	@Override
	public void setValue() {
		LockContext.set(LockContext.Snapshot.EMPTY);
	}

}
