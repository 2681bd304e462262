/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.time.Instant;
import java.util.Comparator;
import java.util.OptionalLong;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.dynamodblock.server.lock.StoredLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock as every watcher may see it, without the fingerprint of its holder's instance.
 *
 * @param namespace the namespace
 * @param lockName the lock's name in it
 * @param owner the owner that holds it
 * @param since when it was granted, in seconds since the epoch, or {@code null} if
 * unknown
 * @param expiry the last second in which it is held, in seconds since the epoch
 * @param fencingToken the fencing token, or {@code null} if a program without fencing
 * tokens has the lock
 */
@JsonInclude(Include.NON_NULL)
record ListedLock(String namespace, String lockName, String owner, @Nullable Long since, long expiry,
		@Nullable Long fencingToken) {

	static final Comparator<ListedLock> BY_NAME = Comparator.comparing(ListedLock::namespace)
		.thenComparing(ListedLock::lockName);

	static ListedLock of(StoredLock lock) {
		OptionalLong token = lock.fencingToken();
		return new ListedLock(lock.name().namespace(), lock.name().lockName(), lock.owner(),
				lock.acquiredAt().map(Instant::getEpochSecond).orElse(null), lock.lease().expiry(),
				token.isPresent() ? token.getAsLong() : null);
	}

}
