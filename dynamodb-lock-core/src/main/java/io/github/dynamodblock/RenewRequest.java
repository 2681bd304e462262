/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Optional;

/**
 * Describes what a renewal changes. Begin with {@link #create()} instead of the
 * constructor, which gets another parameter with each new option. Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * lock.renew(RenewRequest.create().leaseDuration(Duration.ofMinutes(5)));
 * }</pre>
 *
 * @param leaseDuration the new lease; empty if it is kept
 * @param change how the renewal changes the item
 */
public record RenewRequest(Optional<Duration> leaseDuration, ItemChange change) {

	private static final RenewRequest NOTHING = new RenewRequest(Optional.empty(), ItemChange.none());

	/**
	 * Creates a request.
	 * @throws IllegalArgumentException if the lease is not from 100 ms to 365 days in
	 * whole milliseconds, or if the change {@linkplain ItemChange#copy copies} an
	 * attribute, because several heartbeats may repeat the change
	 */
	public RenewRequest {
		leaseDuration.ifPresent(Limits::checkLease);
		if (!change.copies().isEmpty()) {
			throw new IllegalArgumentException("A renewal cannot copy attributes to " + change.copies().keySet()
					+ ", because heartbeats may repeat the change; copy them when the lock is acquired or released");
		}
	}

	/**
	 * {@return a request that only renews the lock}
	 */
	public static RenewRequest create() {
		return NOTHING;
	}

	/**
	 * Sets a longer or shorter lease. Later heartbeats keep it. Their period and the
	 * expiry warning are scaled with it.
	 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days
	 * @return the changed request
	 */
	public RenewRequest leaseDuration(Duration leaseDuration) {
		return new RenewRequest(Optional.of(leaseDuration), this.change);
	}

	/**
	 * Sets how the renewal changes the application's part of the lock's item. The default
	 * keeps everything. A renewal cannot copy attributes.
	 */
	public RenewRequest change(ItemChange change) {
		return new RenewRequest(this.leaseDuration, change);
	}

}
