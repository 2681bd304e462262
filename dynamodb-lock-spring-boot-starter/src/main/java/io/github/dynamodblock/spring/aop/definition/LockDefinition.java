/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.util.function.UnaryOperator;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.OnLost;
import io.github.dynamodblock.spring.job.JobSchedule;
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
 * @param empty the empty value of the return type: an empty Optional, or {@code null}
 * @param fallback the method that is called instead, or {@code null} unless onBusy is
 * FALLBACK
 * @param onLost what happens to a running call when its lock is lost
 * @param lockClient the name of the client's bean, or {@code null} for the default one
 * @param options adds the other options to the request for a lock
 * @param job the options of a job, or {@code null} if all calls have plain locks
 */
public record LockDefinition(String location, String name, boolean named, @Nullable KeyExpression key, OnBusy onBusy,
		ReturnKind returnKind, @Nullable Object empty, @Nullable Fallback fallback, OnLost onLost,
		@Nullable String lockClient, UnaryOperator<LockRequest> options, @Nullable JobDefinition job) {

	/**
	 * Creates the request for one of a call's locks.
	 * @param lockKey the lock
	 * @return the request
	 */
	public LockRequest request(LockKey lockKey) {
		return this.options.apply(LockRequest.of(lockKey).name(this.name));
	}

	/**
	 * {@return when Spring calls the method; {@code null} if it does not schedule it}
	 */
	public @Nullable JobSchedule schedule() {
		return (this.job != null) ? this.job.schedule() : null;
	}

	/**
	 * {@return a request with these options, for any lock}
	 */
	public LockRequest request() {
		return request(LockKey.of(this.name));
	}

}
