/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.ThreadContextElement;

/**
 * Provides the locks of {@link LockContext} to a Kotlin coroutine, on any thread and
 * after suspension. Suspend functions with {@link DistributedLock} have this context. To
 * continue a blocking method's work in a coroutine, add this context:
 *
 * <pre class="code"> lockTemplate.execute("orders:42") {
 * runBlocking(CoroutineLockContext.capture()) { withContext(Dispatchers.IO) {
 * LockContext.current() } } } </pre>
 *
 * <p>
 * Child coroutines in the scope of such a coroutine also have its locks. They end before
 * their parent, so the locks cover them. Locked methods that they call join these locks.
 *
 * <p>
 * Requires kotlinx-coroutines-core on the class path.
 */
public final class CoroutineLockContext extends AbstractCoroutineContextElement
		implements ThreadContextElement<LockContext.Snapshot> {

	private static final CoroutineContext.Key<CoroutineLockContext> KEY = new CoroutineContext.Key<>() {
	};

	private final LockContext.Snapshot locks;

	private CoroutineLockContext(LockContext.Snapshot locks) {
		super(KEY);
		this.locks = locks;
	}

	/**
	 * Returns the context element for the locks under which this thread runs.
	 * @return the element
	 */
	public static CoroutineLockContext capture() {
		return of(LockContext.capture());
	}

	/**
	 * Returns the context element for some locks.
	 * @param locks the locks under which the coroutine runs
	 * @return the element
	 */
	public static CoroutineLockContext of(LockContext.Snapshot locks) {
		return new CoroutineLockContext(locks);
	}

	@Override
	public LockContext.Snapshot updateThreadContext(CoroutineContext context) {
		LockContext.Snapshot before = LockContext.capture();
		LockContext.set(this.locks);
		return before;
	}

	@Override
	public void restoreThreadContext(CoroutineContext context, LockContext.Snapshot before) {
		LockContext.set(before);
	}

}
