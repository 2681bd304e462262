/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;

/**
 * How long one call may wait for its locks, for all of them together.
 */
final class WaitLimit {

	private final LockedCall call;

	private final long begin = System.nanoTime();

	WaitLimit(LockedCall call) {
		this.call = call;
	}

	/**
	 * Asks for one of the locks.
	 * @param key the lock
	 * @return a request that waits for no longer than the rest of the time
	 */
	LockRequest request(LockKey key) {
		LockRequest request = this.call.definition().request(key);
		if (this.call.keys().size() == 1) {
			return request;
		}
		Duration rest = request.waitTime()
			.orElseGet(this.call.client()::waitTime)
			.minusNanos(System.nanoTime() - this.begin);
		return request.waitTime(rest.isNegative() ? Duration.ZERO : rest);
	}

}
