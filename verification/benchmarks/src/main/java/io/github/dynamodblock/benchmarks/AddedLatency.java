/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;

import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Makes each call as slow as one over a network, by waiting before it is sent.
 */
final class AddedLatency implements ExecutionInterceptor {

	static final Duration LATENCY = Duration.ofMillis(5);

	@Override
	public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
		try {
			Thread.sleep(LATENCY.toMillis());
		}
		catch (InterruptedException ex) {
			// As the SDK does when a time limit interrupts it while it sends.
			Thread.currentThread().interrupt();
			throw AbortedException.create("Interrupted before the call was sent", ex);
		}
	}

}
