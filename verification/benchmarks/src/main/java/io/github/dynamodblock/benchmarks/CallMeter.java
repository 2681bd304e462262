/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/**
 * Counts what a client sends, the SDK's own retries too, and what it costs for items of
 * up to 1 KB. A refused write costs what an applied one does. Thread-safe.
 */
final class CallMeter implements ExecutionInterceptor {

	private static final double EVENTUALLY_CONSISTENT_READ = 0.5;

	private final LongAdder calls = new LongAdder();

	private final LongAdder writes = new LongAdder();

	private final DoubleAdder units = new DoubleAdder();

	long calls() {
		return this.calls.sum();
	}

	/** Refused ones too. */
	long writes() {
		return this.writes.sum();
	}

	/** Read and write capacity units together. */
	double units() {
		return this.units.sum();
	}

	/** Counts from zero again. */
	void reset() {
		this.calls.reset();
		this.writes.reset();
		this.units.reset();
	}

	@Override
	public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
		this.calls.increment();
		if (!(context.request() instanceof GetItemRequest)) {
			this.writes.increment();
		}
		this.units.add(units(context.request()));
	}

	private static double units(SdkRequest request) {
		boolean cheap = request instanceof GetItemRequest read && !Boolean.TRUE.equals(read.consistentRead());
		return cheap ? EVENTUALLY_CONSISTENT_READ : 1;
	}

}
