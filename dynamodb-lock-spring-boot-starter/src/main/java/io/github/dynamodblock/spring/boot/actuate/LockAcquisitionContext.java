/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * The observation context of an acquisition, for a
 * {@link DefaultLockObservationConvention} and for observation handlers.
 *
 * <pre>{@code
 * if (context instanceof LockAcquisitionContext acquisition) {
 *     log(acquisition.getClientName(), acquisition.getRequest().key(), acquisition.getOutcome());
 * }
 * }</pre>
 */
public final class LockAcquisitionContext extends Observation.Context {

	private final String clientName;

	private final String name;

	private final LockRequest request;

	private volatile String outcome = "unknown";

	LockAcquisitionContext(String clientName, String name, LockRequest request) {
		this.clientName = clientName;
		this.name = name;
		this.request = request;
	}

	/**
	 * Returns the client that acquires the lock.
	 * @return the name of the lock client's bean
	 */
	public String getClientName() {
		return this.clientName;
	}

	/**
	 * Returns the request for the lock.
	 * @return the request
	 */
	public LockRequest getRequest() {
		return this.request;
	}

	/**
	 * Returns how the acquisition ended.
	 * @return {@code acquired}, {@code busy}, {@code cancelled}, {@code lost},
	 * {@code closed} or {@code failed}; {@code unknown} until it has ended
	 */
	public String getOutcome() {
		return this.outcome;
	}

	/** Returns the name of the lock in meters and observations. */
	String lockName() {
		return this.name;
	}

	/**
	 * Sets the outcome.
	 * @param result the acquisition's return value, if it was successful
	 * @param problem its exception, or {@code null} if it was successful
	 */
	void ended(@Nullable Object result, @Nullable Throwable problem) {
		this.outcome = (problem != null) ? outcome(problem)
				: (result instanceof Optional<?> lock && lock.isEmpty()) ? "busy" : "acquired";
	}

	private static String outcome(Throwable problem) {
		if (problem instanceof LockNotGrantedException) {
			return "busy";
		}
		if (problem instanceof InterruptedException || problem instanceof CancellationException
				|| problem instanceof TimeoutException) {
			return "cancelled";
		}
		if (problem instanceof LockLostException) {
			return "lost";
		}
		return (problem instanceof LockClientClosedException) ? "closed" : "failed";
	}

}
