/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A client of either kind, in the same words. It contends for one lock. Thread-safe.
 */
interface Contender extends AutoCloseable {

	/** Longer than any wait of a test that passes. */
	Duration PATIENCE = InteropCase.duration().plusMinutes(1);

	ClientKind kind();

	/** The name under which this client holds the lock. */
	String ownerName();

	/** Waits for the lock, however long a test takes; fails if it does not come. */
	Grant acquire(byte @Nullable [] data) throws InterruptedException;

	default Grant acquire() throws InterruptedException {
		return acquire(null);
	}

	/** Makes one attempt. */
	Optional<Grant> tryAcquire() throws InterruptedException;

	/** What this client reads of the lock, which somebody holds. */
	Seen find();

	/** What carries this client's calls. */
	Connection connection();

	@Override
	void close();

	/**
	 * The lock, granted. Thread-safe.
	 */
	interface Grant {

		/** Whether the lock is held, as the client itself sees it without a call. */
		boolean isHeld();

		/** Releases the lock, and says whether it was this grant's to release. */
		boolean release();

	}

	/**
	 * What a client reads of a lock.
	 *
	 * @param ownerName who holds it
	 * @param lease its lease
	 * @param data its data, as text
	 */
	record Seen(String ownerName, Duration lease, Optional<String> data) {
	}

}
