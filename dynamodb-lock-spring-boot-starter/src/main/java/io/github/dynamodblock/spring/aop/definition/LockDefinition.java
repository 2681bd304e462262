/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.time.Duration;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.OnLost;
import org.jspecify.annotations.Nullable;

/**
 * The options in the annotation of one method, validated. Immutable.
 *
 * @param location the class and the method, for messages
 * @param name the name of the lock, without the prefix
 * @param named whether the annotation sets the name
 * @param key the key expression, or {@code null} if the name is a single lock
 * @param onBusy what a call does if the lock is not granted
 * @param returnKind what the method returns
 * @param empty its empty value: an empty Optional, or {@code null}
 * @param fallback the method that is called instead, or {@code null} unless onBusy is
 * FALLBACK
 * @param onLost what happens to a running call when its lock is lost
 * @param lockClient the name of the client's bean, or {@code null} for the default one
 * @param permits how many calls may hold the lock at the same time
 * @param waitTime how long to wait, or {@code null} for the client's wait time
 * @param leaseDuration the lease, or {@code null} for the client's
 * @param holdAtLeast the minimum hold time
 * @param holdAtMost the maximum hold time, or {@code null} for the client's
 * @param awaitSilentOwner whether an owner that seems to have crashed is awaited
 * @param job how the method is scheduled, or {@code null} if its calls have plain locks
 */
public record LockDefinition(String location, String name, boolean named, @Nullable KeyExpression key, OnBusy onBusy,
		ReturnKind returnKind, @Nullable Object empty, @Nullable Fallback fallback, OnLost onLost,
		@Nullable String lockClient, int permits, @Nullable Duration waitTime, @Nullable Duration leaseDuration,
		Duration holdAtLeast, @Nullable Duration holdAtMost, boolean awaitSilentOwner, @Nullable JobDefinition job) {

	/**
	 * Creates the request for one of a call's locks.
	 * @param lockKey the lock
	 * @return the request
	 */
	public LockRequest request(LockKey lockKey) {
		LockRequest request = LockRequest.of(lockKey)
			.name(this.name)
			.permits(this.permits)
			.holdAtLeast(this.holdAtLeast)
			.awaitSilentOwner(this.awaitSilentOwner);
		if (this.leaseDuration != null) {
			request = request.leaseDuration(this.leaseDuration);
		}
		if (this.holdAtMost != null) {
			request = request.holdAtMost(this.holdAtMost);
		}
		return (this.waitTime != null) ? request.waitTime(this.waitTime) : request;
	}

}
