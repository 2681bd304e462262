/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.ThreadContextElement;

/**
 * Gives a Kotlin coroutine the locks of {@link LockContext} on whatever thread it runs,
 * also after it was suspended. Suspend functions with {@link DistributedLock} have it. To
 * continue the work of a blocking method in a coroutine, add it:
 *
 * <pre class="code">
 * lockTemplate.execute("orders:42") {
 *     runBlocking(CoroutineLockContext.capture()) {
 *         withContext(Dispatchers.IO) { LockContext.current() }
 *     }
 * }
 * </pre>
 *
 * <p>
 * Coroutines that are started in the scope of such a coroutine have its locks, too: they
 * end before it ends, so that the locks cover them. A locked method that they call joins
 * these locks.
 *
 * <p>
 * Needs kotlinx-coroutines-core on the class path.
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
