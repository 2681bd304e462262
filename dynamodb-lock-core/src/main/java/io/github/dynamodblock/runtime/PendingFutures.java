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
 * What callers wait for, and what only calls and timers bring about. Once these are gone,
 * nothing comes of a promise any more, so the client that closes breaks it. Thread-safe.
 */
final class PendingFutures {

	private final String ownerName;

	/** In the order in which they were made. */
	private final Set<CompletableFuture<?>> open = Collections.synchronizedSet(new LinkedHashSet<>());

	private volatile boolean broken;

	PendingFutures(String ownerName) {
		this.ownerName = ownerName;
	}

	// What is done at the end throws nothing, and each promise equals itself alone.
	@SuppressWarnings({ "FutureReturnValueIgnored", "CollectionUndefinedEquality" })
	<T> CompletableFuture<T> make() {
		CompletableFuture<T> promise = new CompletableFuture<>();
		this.open.add(promise);
		promise.whenComplete((value, problem) -> this.open.remove(promise));
		// In this order: either this sees that all are broken, or the breaker sees this.
		if (this.broken) {
			breakOne(promise);
		}
		return promise;
	}

	/** Fails what is not kept yet, and whatever is promised from now on. */
	void breakAll() {
		this.broken = true;
		List.copyOf(this.open).forEach(this::breakOne);
	}

	private void breakOne(CompletableFuture<?> promise) {
		promise.completeExceptionally(new LockClientClosedException(this.ownerName));
	}

}
