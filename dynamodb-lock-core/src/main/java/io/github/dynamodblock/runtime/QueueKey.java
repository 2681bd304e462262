/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.acquire.AcquisitionTerms;
import org.jspecify.annotations.Nullable;

/**
 * The queue of an acquisition within its client. All acquisitions of a lock share one.
 * Those with {@code idempotentFor} have one for each owner, since they contend like
 * separate clients.
 *
 * @param key the lock
 * @param owner the owner, or {@code null} for the client itself
 */
record QueueKey(LockKey key, @Nullable String owner) {

	/**
	 * Returns the queue of an acquisition.
	 * @return the key, or {@code null} if the acquisition waits for no other: it adopts a
	 * lock, or makes one attempt for an owner that may hold the lock
	 */
	static @Nullable QueueKey of(AcquisitionTerms terms) {
		String owner = terms.request().idempotentFor().orElse(null);
		boolean bypasses = terms.handedOver() != null || (owner != null && terms.waitNanos() == 0);
		return bypasses ? null : new QueueKey(terms.key(), owner);
	}

	/**
	 * Returns whether the turn ends at the grant, because the owner may acquire again.
	 */
	boolean endsAtGrant() {
		return this.owner != null;
	}

}
