/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;

/**
 * What one acquisition is to achieve, with everything decided that the request left open.
 *
 * @param request what the caller asked for
 * @param ownerName the name that the item gets
 * @param lease the lease to acquire
 * @param waitNanos how long to wait for others; zero for one attempt
 * @param deadline until when, on {@link Moment#observerNanos()}: the time of the request
 * and the wait
 * @param deleteOnRelease whether a release deletes the item
 */
public record AcquisitionTerms(LockRequest request, String ownerName, LeaseTerms lease, long waitNanos, long deadline,
		boolean deleteOnRelease) {

	/**
	 * The lock.
	 * @return the key
	 */
	public LockKey key() {
		return this.request.key();
	}

	/**
	 * Until when a call that was not answered is followed by another. A single attempt
	 * has no deadline to derive this from, so it gets the time of two calls: one may be
	 * lost.
	 * @return the time, on {@link Moment#observerNanos()}
	 */
	public long patience() {
		return (this.waitNanos > 0) ? this.deadline : Nanos.later(this.deadline, 2 * this.lease.callLimitNanos());
	}

}
