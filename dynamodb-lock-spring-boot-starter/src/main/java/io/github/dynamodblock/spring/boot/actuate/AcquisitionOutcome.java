/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import org.jspecify.annotations.Nullable;

/**
 * How an acquisition ended, for meters and observations.
 */
enum AcquisitionOutcome {

	/** The lock was granted. */
	ACQUIRED,

	/** Others held the lock all that time, or it has no item and had to have one. */
	BUSY,

	/** The caller was interrupted, or gave up the future. */
	CANCELLED,

	/** What was to be continued with is lost. */
	LOST,

	/** The client was closed. */
	CLOSED,

	/** Anything else: DynamoDB refused or did not answer, or the request is not valid. */
	FAILED;

	/** As a tag's value. */
	String text() {
		return name().toLowerCase(Locale.ROOT);
	}

	static AcquisitionOutcome of(Optional<HeldLock> lock) {
		return lock.isPresent() ? ACQUIRED : BUSY;
	}

	/**
	 * How an acquisition ended.
	 * @param problem what its caller was given instead of the lock, or {@code null}
	 */
	static AcquisitionOutcome of(@Nullable Throwable problem) {
		if (problem == null) {
			return ACQUIRED;
		}
		if (problem instanceof CompletionException && problem.getCause() != null) {
			return of(problem.getCause());
		}
		if (problem instanceof LockNotGrantedException) {
			return BUSY;
		}
		if (problem instanceof InterruptedException || problem instanceof CancellationException
				|| problem instanceof TimeoutException) {
			return CANCELLED;
		}
		if (problem instanceof LockLostException) {
			return LOST;
		}
		return (problem instanceof LockClientClosedException) ? CLOSED : FAILED;
	}

}
