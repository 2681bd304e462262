/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.acquire.AcquisitionTerms;
import org.jspecify.annotations.Nullable;

/**
 * Where acquisitions of one client stand in line. All of a key stand in one; those in
 * somebody else's name have a line for each name, since they contend with one another
 * just as two clients do.
 *
 * @param key the lock
 * @param owner in whose name, or {@code null} for the client's own
 */
record QueueKey(LockKey key, @Nullable String owner) {

	/**
	 * Where an acquisition stands.
	 * @return the line, or {@code null} if it has nobody to wait for: it continues with a
	 * lock that was handed over, or makes one attempt for an owner who may hold it
	 */
	static @Nullable QueueKey of(AcquisitionTerms terms) {
		String owner = terms.request().idempotentFor().orElse(null);
		boolean bypasses = terms.handedOver() != null || (owner != null && terms.waitNanos() == 0);
		return bypasses ? null : new QueueKey(terms.key(), owner);
	}

	/**
	 * Whether the turn lasts only until the grant, because the owner may acquire again.
	 */
	boolean endsAtGrant() {
		return this.owner != null;
	}

}
