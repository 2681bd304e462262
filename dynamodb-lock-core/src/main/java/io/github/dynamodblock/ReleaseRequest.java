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
 * How a lock is to be released. What is not set comes from the request that acquired it,
 * or from the client. Immutable and thread-safe.
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
	 * Creates a request with the client's defaults.
	 * @return the request
	 */
	public static ReleaseRequest create() {
		return DEFAULT;
	}

	/**
	 * Sets whether the lock's item is deleted instead of kept as released. Fencing tokens
	 * then increase only as far as the clocks of the owners agree.
	 * @param deleteOnRelease whether to delete
	 * @return a request that says so
	 */
	public ReleaseRequest deleteOnRelease(boolean deleteOnRelease) {
		return new ReleaseRequest(deleteOnRelease, this.change, this.waitTime, this.bestEffort);
	}

	/**
	 * Sets what changes in the application's part of the lock's item, for the next owner
	 * to read. It has no meaning where the item is deleted.
	 * @param change the change
	 * @return a request with this change
	 */
	public ReleaseRequest change(ItemChange change) {
		return new ReleaseRequest(this.deleteOnRelease, Objects.requireNonNull(change, "change"), this.waitTime,
				this.bestEffort);
	}

	/**
	 * Sets how long the caller waits for DynamoDB's answer. Afterwards the client goes on
	 * trying in the background until the lease has ended, and for 10 seconds at least.
	 * @param waitTime the time, not negative; 10 seconds unless set
	 * @return a request with this time
	 * @throws IllegalArgumentException if the time is negative
	 */
	public ReleaseRequest waitTime(Duration waitTime) {
		if (waitTime.isNegative()) {
			throw new IllegalArgumentException("waitTime is " + waitTime + "; it must not be negative");
		}
		return new ReleaseRequest(this.deleteOnRelease, this.change, waitTime, this.bestEffort);
	}

	/**
	 * Sets whether a release that cannot be confirmed ends with
	 * {@link ReleaseOutcome#UNCONFIRMED} and a log line instead of an exception.
	 * @param bestEffort whether it does; {@code false} unless set
	 * @return the changed request
	 */
	public ReleaseRequest bestEffort(boolean bestEffort) {
		return new ReleaseRequest(this.deleteOnRelease, this.change, this.waitTime, bestEffort);
	}

	/**
	 * Whether the item is deleted.
	 * @return whether it is, or empty if that is left to the acquisition's request
	 */
	public Optional<Boolean> deleteOnRelease() {
		return Optional.ofNullable(this.deleteOnRelease);
	}

	/**
	 * What changes in the item.
	 * @return the change
	 */
	public ItemChange change() {
		return this.change;
	}

	/**
	 * How long the caller waits.
	 * @return the time
	 */
	public Duration waitTime() {
		return this.waitTime;
	}

	/**
	 * Whether a release that cannot be confirmed is no exception.
	 * @return whether it is only logged
	 */
	public boolean bestEffort() {
		return this.bestEffort;
	}

	/**
	 * The request in one line.
	 */
	@Override
	public String toString() {
		return "ReleaseRequest[deleteOnRelease=" + this.deleteOnRelease + ", change=" + this.change + ", waitTime="
				+ this.waitTime + ", bestEffort=" + this.bestEffort + "]";
	}

}
