/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.LockClientClosedException;

/**
 * Futures that callers wait for and that calls and timers complete. A client that closes
 * ends calls and timers, and fails the futures that are still pending. Thread-safe.
 */
final class PendingFutures {

	private final String ownerName;

	/** In the order of their creation. */
	private final Set<CompletableFuture<?>> open = Collections.synchronizedSet(new LinkedHashSet<>());

	private volatile boolean failed;

	PendingFutures(String ownerName) {
		this.ownerName = ownerName;
	}

	<T> CompletableFuture<T> make() {
		CompletableFuture<T> future = new CompletableFuture<>();
		add(future);
		return future;
	}

	// The dependent throws nothing, and each future equals itself alone.
	@SuppressWarnings({ "FutureReturnValueIgnored", "CollectionUndefinedEquality" })
	void add(CompletableFuture<?> future) {
		this.open.add(future);
		future.whenComplete((value, problem) -> this.open.remove(future));
		// In this order: either this sees that all failed, or failAll sees the future.
		if (this.failed) {
			fail(future);
		}
	}

	/** Fails all that are pending, and each that is added from now on. */
	void failAll() {
		this.failed = true;
		List.copyOf(this.open).forEach(this::fail);
	}

	private void fail(CompletableFuture<?> future) {
		future.completeExceptionally(new LockClientClosedException(this.ownerName));
	}

}
