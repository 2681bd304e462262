/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Describes what a renewal changes. Immutable and thread-safe.
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
	 * @throws IllegalArgumentException if the lease is not within these limits
	 */
	public RenewRequest leaseDuration(Duration leaseDuration) {
		Limits.checkLease(leaseDuration);
		return new RenewRequest(leaseDuration, this.change);
	}

	/**
	 * Sets how the renewal changes the application's part of the lock's item.
	 * @param change the change; the default keeps everything
	 * @return the changed request
	 * @throws IllegalArgumentException if the change {@linkplain ItemChange#copy copies}
	 * an attribute: a change may be part of several heartbeats
	 */
	public RenewRequest change(ItemChange change) {
		if (!change.copies().isEmpty()) {
			throw new IllegalArgumentException("A renewal cannot copy attributes to " + change.copies().keySet()
					+ ", since a heartbeat may repeat it; copy them when the lock is acquired or released");
		}
		return new RenewRequest(this.leaseDuration, change);
	}

	/**
	 * {@return the new lease, or empty if it is kept}
	 */
	public Optional<Duration> leaseDuration() {
		return Optional.ofNullable(this.leaseDuration);
	}

	/**
	 * {@return how the renewal changes the item}
	 */
	public ItemChange change() {
		return this.change;
	}

	@Override
	public String toString() {
		return "RenewRequest[leaseDuration=" + this.leaseDuration + ", change=" + this.change + "]";
	}

}
