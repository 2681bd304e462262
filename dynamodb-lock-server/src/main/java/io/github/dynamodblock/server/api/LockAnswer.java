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
 * The response about a lock. Components that are {@code null} are omitted.
 *
 * @param success whether the request succeeded; {@code null} for a read
 * @param namespace the lock's namespace
 * @param lockName the lock's name in it
 * @param owner the owner that holds the lock
 * @param instanceId the owner's instance; only that instance receives it
 * @param leaseDuration the lease in seconds
 * @param expiry the last second of the lease, since the epoch
 * @param fencingToken the fencing token, which increases with every grant; only the
 * holder receives it
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
