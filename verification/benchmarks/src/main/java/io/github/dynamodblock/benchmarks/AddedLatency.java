/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Makes each call as slow as one over a network, by waiting before it is sent.
 */
final class AddedLatency implements ExecutionInterceptor {

	static final Duration LATENCY = Duration.ofMillis(5);

	private final Duration latency;

	private final Class<? extends SdkRequest> requests;

	AddedLatency() {
		this(LATENCY, SdkRequest.class);
	}

	/**
	 * @param latency for how long a call waits
	 * @param requests the type of the requests that wait
	 */
	AddedLatency(Duration latency, Class<? extends SdkRequest> requests) {
		this.latency = latency;
		this.requests = requests;
	}

	@Override
	public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
		if (!this.requests.isInstance(context.request())) {
			return;
		}
		try {
			Thread.sleep(this.latency.toMillis());
		}
		catch (InterruptedException ex) {
			// As the SDK does when a time limit interrupts it while it sends.
			Thread.currentThread().interrupt();
			throw AbortedException.create("Interrupted before the call was sent", ex);
		}
	}

}
