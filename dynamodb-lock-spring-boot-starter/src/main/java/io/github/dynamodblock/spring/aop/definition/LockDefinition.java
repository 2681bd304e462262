/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.time.Duration;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.OnLost;
import org.jspecify.annotations.Nullable;

/**
 * What the annotation of one method says, checked and ready for calls. Immutable.
 *
 * @param location the class and the method, for messages
 * @param name the name of the lock, without the prefix
 * @param named whether the annotation gave the name
 * @param key what is locked under the name, or {@code null} for the name alone
 * @param onBusy what a call does when the lock is not granted
 * @param returnKind what the method returns
 * @param empty what it returns for no value: an empty Optional, or {@code null}
 * @param fallback what answers a call whose lock is not granted, or {@code null} unless
 * onBusy is FALLBACK
 * @param onLost what happens to a running call when its lock is lost
 * @param lockClient the name of the client's bean, or {@code null} for the default one
 * @param waitTime how long to wait, or {@code null} for the client's wait time
 * @param leaseDuration the lease, or {@code null} for the client's
 * @param holdAtLeast how long the lock stays held at least
 * @param holdAtMost how long the lock is held at most, or {@code null} for the client's
 * @param awaitSilentOwner whether an owner that seems to have crashed is awaited
 * @param job how the method is scheduled, or {@code null} if its calls have plain locks
 */
public record LockDefinition(String location, String name, boolean named, @Nullable KeyExpression key, OnBusy onBusy,
		ReturnKind returnKind, @Nullable Object empty, @Nullable Fallback fallback, OnLost onLost,
		@Nullable String lockClient, @Nullable Duration waitTime, @Nullable Duration leaseDuration,
		Duration holdAtLeast, @Nullable Duration holdAtMost, boolean awaitSilentOwner, @Nullable JobDefinition job) {

	/**
	 * Creates the request for one of a call's locks.
	 * @param lockKey the lock
	 * @return the request
	 */
	public LockRequest request(LockKey lockKey) {
		LockRequest request = LockRequest.of(lockKey)
			.name(this.name)
			.holdAtLeast(this.holdAtLeast)
			.awaitSilentOwner(this.awaitSilentOwner);
		if (this.job != null) {
			// Other calls keep the job's record in the item, but not the mark of a run.
			request = request.keepItem(true).change(ItemChange.none().removeData());
		}
		if (this.leaseDuration != null) {
			request = request.leaseDuration(this.leaseDuration);
		}
		if (this.holdAtMost != null) {
			request = request.holdAtMost(this.holdAtMost);
		}
		return (this.waitTime != null) ? request.waitTime(this.waitTime) : request;
	}

}
