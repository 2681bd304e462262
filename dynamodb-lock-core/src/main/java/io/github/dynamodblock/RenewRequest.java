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
 * What a renewal is to change, besides keeping the lock. Immutable and thread-safe.
 *
 * <pre>{@code
 * lock.renew(RenewRequest.create().leaseDuration(Duration.ofMinutes(5)));
 * }</pre>
 */
public final class RenewRequest {

	private static final RenewRequest NOTHING = new RenewRequest(null, ItemChange.none());

	private final @Nullable Duration leaseDuration;

	private final ItemChange change;

	private RenewRequest(@Nullable Duration leaseDuration, ItemChange change) {
		this.leaseDuration = leaseDuration;
		this.change = change;
	}

	/**
	 * A request that changes nothing.
	 * @return the request
	 */
	public static RenewRequest create() {
		return NOTHING;
	}

	/**
	 * Sets another lease. Heartbeats in the background keep it, and their period and the
	 * expiry warning change in proportion.
	 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days;
	 * longer or shorter than before
	 * @return a request with this lease
	 * @throws IllegalArgumentException if the lease is not within these limits
	 */
	public RenewRequest leaseDuration(Duration leaseDuration) {
		LeaseLimits.checkLease(leaseDuration);
		return new RenewRequest(leaseDuration, this.change);
	}

	/**
	 * Sets what changes in the application's part of the lock's item.
	 * @param change the change
	 * @return a request with this change
	 */
	public RenewRequest change(ItemChange change) {
		return new RenewRequest(this.leaseDuration, Objects.requireNonNull(change, "change"));
	}

	/**
	 * The lease.
	 * @return the lease, or empty if it stays as it is
	 */
	public Optional<Duration> leaseDuration() {
		return Optional.ofNullable(this.leaseDuration);
	}

	/**
	 * What changes in the item.
	 * @return the change
	 */
	public ItemChange change() {
		return this.change;
	}

	/**
	 * The request in one line.
	 */
	@Override
	public String toString() {
		return "RenewRequest[leaseDuration=" + this.leaseDuration + ", change=" + this.change + "]";
	}

}
