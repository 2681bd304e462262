/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.dynamodblock.server.lock.Hold;
import io.github.dynamodblock.server.lock.LockName;
import io.github.dynamodblock.server.lock.StoredLock;
import org.jspecify.annotations.Nullable;

/**
 * What a client gets to know of a lock. What is {@code null} is left out.
 *
 * @param success whether it got what it asked for; {@code null} if it only looked
 * @param namespace the lock's namespace
 * @param lockName the lock's name in it
 * @param owner who holds the lock
 * @param instanceId which instance of the owner; shown to that instance alone
 * @param leaseDuration the lease in seconds
 * @param expiry the last second of the lease, since the epoch
 * @param fencingToken the number that grows with every grant; shown to the holder alone
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LockAnswer(@Nullable Boolean success, String namespace, String lockName, @Nullable String owner,
		@Nullable String instanceId, @Nullable Long leaseDuration, @Nullable Long expiry, @Nullable Long fencingToken) {

	static LockAnswer free(LockName name) {
		return new LockAnswer(null, name.namespace(), name.lockName(), null, null, null, null, null);
	}

	static LockAnswer held(LockName name, StoredLock lock) {
		return new LockAnswer(null, name.namespace(), name.lockName(), lock.owner(), null, null, lock.lease().expiry(),
				null);
	}

	static LockAnswer granted(LockName name, String owner, String instanceId, Hold hold) {
		return new LockAnswer(true, name.namespace(), name.lockName(), owner, instanceId, hold.lease().seconds(),
				hold.lease().expiry(), hold.fencingToken());
	}

	static LockAnswer released(LockName name) {
		return new LockAnswer(true, name.namespace(), name.lockName(), null, null, null, null, null);
	}

	static LockAnswer refused(LockName name) {
		return new LockAnswer(false, name.namespace(), name.lockName(), null, null, null, null, null);
	}

}
