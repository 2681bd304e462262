/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Optional;

import io.github.dynamodblock.LockRequest;
import io.micrometer.observation.Observation;

/**
 * What is known of an acquisition while it is observed: input of a
 * {@link LockObservationConvention} and of observation handlers.
 *
 * <pre>{@code
 * if (context instanceof LockAcquisitionContext acquisition) {
 *     log(acquisition.getClientName(), acquisition.getRequest().key(), acquisition.getOutcome());
 * }
 * }</pre>
 */
public final class LockAcquisitionContext extends Observation.Context {

	private final String clientName;

	private final LockRequest request;

	private volatile String outcome = "unknown";

	LockAcquisitionContext(String clientName, LockRequest request) {
		this.clientName = clientName;
		this.request = request;
	}

	/**
	 * By which client the lock is acquired.
	 * @return the name of the lock client's bean
	 */
	public String getClientName() {
		return this.clientName;
	}

	/**
	 * What is acquired.
	 * @return the request
	 */
	public LockRequest getRequest() {
		return this.request;
	}

	/**
	 * How the acquisition ended.
	 * @return {@code acquired}, {@code busy}, {@code cancelled}, {@code lost},
	 * {@code closed} or {@code failed}; {@code unknown} until it has ended
	 */
	public String getOutcome() {
		return this.outcome;
	}

	/** What meters and observations call locks: never a key. */
	static String name(Optional<String> name) {
		return name.orElse("unnamed");
	}

	void ended(AcquisitionOutcome outcome) {
		this.outcome = outcome.text();
	}

}
