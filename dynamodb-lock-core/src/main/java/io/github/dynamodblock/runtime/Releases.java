/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Nanos;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How callers wait for a release.
 */
final class Releases {

	private static final Logger logger = LoggerFactory.getLogger(Releases.class);

	private Releases() {
	}

	/**
	 * Waits for a release, which goes on when the caller's time is over.
	 * @param key the lock
	 * @param release the release
	 * @param waitTime how long to wait
	 * @return what happened
	 * @throws LockStoreException if that is not known in time
	 */
	static ReleaseOutcome await(LockKey key, CompletableFuture<ReleaseOutcome> release, Duration waitTime) {
		if (!Waiting.uninterruptibly(release, Duration.ofNanos(Nanos.of(waitTime)))) {
			warnIfItFails(release);
			throw new LockStoreException("The release of lock '" + key + "' was not confirmed within " + waitTime
					+ "; it goes on in the background, and otherwise the lock frees itself one lease after its last "
					+ "heartbeat", null);
		}
		return Waiting.uninterruptibly(release);
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private static void warnIfItFails(CompletableFuture<ReleaseOutcome> release) {
		release.whenComplete((outcome, problem) -> {
			if (problem != null) {
				LogText.warn(logger, problem);
			}
		});
	}

}
