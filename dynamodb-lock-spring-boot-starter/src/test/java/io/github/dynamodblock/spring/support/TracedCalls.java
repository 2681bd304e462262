/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Records in which observation each request of a client is sent, as an instrumentation of
 * the SDK does.
 */
public final class TracedCalls implements ExecutionInterceptor {

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final List<String> traces = new CopyOnWriteArrayList<>();

	public TracedCalls() {
		// Without a handler, there are no observations.
		this.registry.observationConfig().observationHandler((context) -> true);
	}

	/** Puts this recorder into a client. */
	public void attach(DynamoDbClientBuilder client) {
		client.overrideConfiguration((configuration) -> configuration.addExecutionInterceptor(this));
	}

	/**
	 * Begins an observation, which is not yet current anywhere, and forgets all calls.
	 */
	public Observation begin(String name) {
		this.traces.clear();
		return Observation.start(name, this.registry);
	}

	/** The name of the observation of each call, or {@code none}. */
	public List<String> traces() {
		return List.copyOf(this.traces);
	}

	@Override
	public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
		Observation current = this.registry.getCurrentObservation();
		this.traces.add((current != null) ? String.valueOf(current.getContextView().getName()) : "none");
	}

}
