/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.runtime.lease.LeaseHandle;

/**
 * Releases locks and closes clients in virtual time: without the threads on which
 * {@link HeldLock#releaseAsync} completes its futures, and without waiting.
 */
public final class Releases {

	private Releases() {
	}

	/**
	 * Releases a lock.
	 * @param lock the lock
	 * @param request how to release it
	 * @return completed by the answer, on its thread
	 */
	public static CompletableFuture<ReleaseOutcome> begin(HeldLock lock, ReleaseRequest request) {
		try {
			return ((LeaseHandle) lock).beginRelease(request);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Closes a client, and awaits nothing.
	 * @param client the client
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // the rest of its answers comes in
													// virtual time
	public static void close(LockClient client) {
		((DefaultLockClient) client).endEverything(true);
	}

}
