/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnBusy;
import org.jspecify.annotations.Nullable;

/**
 * What the annotation of one method says, checked and ready for calls. Immutable.
 *
 * @param location the class and the method, for messages
 * @param name the name of the lock, without the prefix
 * @param named whether the annotation gave the name
 * @param key what is locked under the name, or {@code null} for the name alone
 * @param onBusy what a call does when the lock is not granted
 * @param busyResult what a skipped call returns
 * @param waitTime how long to wait, or {@code null} for the client's wait time
 * @param leaseDuration the lease, or {@code null} for the client's
 * @param holdAtLeast how long the lock stays held at least
 */
record LockDefinition(String location, String name, boolean named, @Nullable KeyExpression key, OnBusy onBusy,
		@Nullable Object busyResult, @Nullable Duration waitTime, @Nullable Duration leaseDuration,
		Duration holdAtLeast) {

	LockRequest request(LockKey lockKey) {
		LockRequest request = LockRequest.of(lockKey).holdAtLeast(this.holdAtLeast);
		if (this.leaseDuration != null) {
			request = request.leaseDuration(this.leaseDuration);
		}
		return (this.waitTime != null) ? request.waitTime(this.waitTime) : request;
	}

}
