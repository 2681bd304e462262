/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Describes how to release a lock. Options that are not set come from the request that
 * acquired it, or from the client. Immutable and thread-safe.
 *
 * <pre>{@code
 * ReleaseOutcome outcome = lock.release(ReleaseRequest.create().bestEffort(true).waitTime(Duration.ofSeconds(2)));
 * }</pre>
 */
public final class ReleaseRequest {

	private static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);

	private static final ReleaseRequest DEFAULT = new ReleaseRequest(null, ItemChange.none(), DEFAULT_WAIT, false);

	private final @Nullable Boolean deleteOnRelease;

	private final ItemChange change;

	private final Duration waitTime;

	private final boolean bestEffort;

	private ReleaseRequest(@Nullable Boolean deleteOnRelease, ItemChange change, Duration waitTime,
			boolean bestEffort) {
		this.deleteOnRelease = deleteOnRelease;
		this.change = change;
		this.waitTime = waitTime;
		this.bestEffort = bestEffort;
	}

	/**
	 * {@return a request with default options}
	 */
	public static ReleaseRequest create() {
		return DEFAULT;
	}

	/**
	 * Sets whether the release deletes the lock's item; see
	 * {@link LockClientBuilder#deleteOnRelease}.
	 * @param deleteOnRelease whether to delete the item; the default is that of the
	 * request that acquired the lock
	 * @return the changed request
	 */
	public ReleaseRequest deleteOnRelease(boolean deleteOnRelease) {
		return new ReleaseRequest(deleteOnRelease, this.change, this.waitTime, this.bestEffort);
	}

	/**
	 * Sets how the release changes the application's part of the lock's item, which the
	 * next owner can read. The change is also made if the lease has expired, unless
	 * another client has acquired the lock since, or it was released when its
	 * {@link LockRequest#holdAtMost} was over. It is ignored if the item is deleted.
	 * @param change the change; the default keeps everything
	 * @return the changed request
	 */
	public ReleaseRequest change(ItemChange change) {
		return new ReleaseRequest(this.deleteOnRelease, Objects.requireNonNull(change, "change"), this.waitTime,
				this.bestEffort);
	}

	/**
	 * Sets how long the caller waits for DynamoDB's answer. Afterwards the client keeps
	 * retrying in the background until the lease has expired, for at least 10 seconds.
	 * @param waitTime the time, not negative; the default is 10 seconds
	 * @return the changed request
	 * @throws IllegalArgumentException if the time is negative
	 */
	public ReleaseRequest waitTime(Duration waitTime) {
		Limits.checkWaitTime(waitTime);
		return new ReleaseRequest(this.deleteOnRelease, this.change, waitTime, this.bestEffort);
	}

	/**
	 * Sets whether a release that cannot be confirmed returns
	 * {@link ReleaseOutcome#UNCONFIRMED} and is logged, instead of throwing an exception.
	 * @param bestEffort whether to return; the default is {@code false}
	 * @return the changed request
	 */
	public ReleaseRequest bestEffort(boolean bestEffort) {
		return new ReleaseRequest(this.deleteOnRelease, this.change, this.waitTime, bestEffort);
	}

	/**
	 * {@return whether the item is deleted, or empty if the request that acquired the
	 * lock decides}
	 */
	public Optional<Boolean> deleteOnRelease() {
		return Optional.ofNullable(this.deleteOnRelease);
	}

	/**
	 * {@return how the release changes the item}
	 */
	public ItemChange change() {
		return this.change;
	}

	/**
	 * {@return how long the caller waits for DynamoDB's answer}
	 */
	public Duration waitTime() {
		return this.waitTime;
	}

	/**
	 * {@return whether a release that cannot be confirmed is only logged}
	 */
	public boolean bestEffort() {
		return this.bestEffort;
	}

	@Override
	public String toString() {
		return "ReleaseRequest[deleteOnRelease=" + this.deleteOnRelease + ", change=" + this.change + ", waitTime="
				+ this.waitTime + ", bestEffort=" + this.bestEffort + "]";
	}

}
