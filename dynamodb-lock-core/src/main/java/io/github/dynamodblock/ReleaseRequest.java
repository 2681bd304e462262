/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Objects;

/**
 * Describes how to release a lock. Whether the release deletes the lock's item depends on
 * the request that acquired it ({@link LockRequest#deleteOnRelease}). Begin with
 * {@link #create()} instead of the constructor, which gets another parameter with each
 * new option. Immutable and thread-safe.
 *
 * <pre>{@code
 * ReleaseOutcome outcome = lock.release(ReleaseRequest.create().waitTime(Duration.ofSeconds(2)));
 * }</pre>
 *
 * @param change how the release changes the item
 * @param waitTime how long the caller waits for DynamoDB's answer, not negative
 */
public record ReleaseRequest(ItemChange change, Duration waitTime) {

	private static final ReleaseRequest DEFAULT = new ReleaseRequest(ItemChange.none(), Duration.ofSeconds(10));

	/**
	 * Creates a request.
	 * @throws IllegalArgumentException if the wait time is negative
	 */
	public ReleaseRequest {
		Objects.requireNonNull(change, "change");
		Limits.checkWaitTime(waitTime);
	}

	/**
	 * {@return a request with default options}
	 */
	public static ReleaseRequest create() {
		return DEFAULT;
	}

	/**
	 * Sets how the release changes the application's part of the lock's item, which the
	 * next owner can read. The change is also made if the lease has expired. It is not
	 * made if another client has acquired the lock since, if the lock was already
	 * released because its {@link LockRequest#holdAtMost} was over, or if the item is
	 * deleted.
	 * @param change the change; the default keeps everything
	 * @return the changed request
	 */
	public ReleaseRequest change(ItemChange change) {
		return new ReleaseRequest(change, this.waitTime);
	}

	/**
	 * Sets how long the caller waits for DynamoDB's answer. Afterwards the client keeps
	 * retrying in the background until the lease has ended or 10 seconds have passed,
	 * whichever is later.
	 * @param waitTime the time, not negative; the default is 10 seconds
	 * @return the changed request
	 */
	public ReleaseRequest waitTime(Duration waitTime) {
		return new ReleaseRequest(this.change, waitTime);
	}

}
