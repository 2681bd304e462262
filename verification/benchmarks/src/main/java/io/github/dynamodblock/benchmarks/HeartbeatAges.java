/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * How old the last acknowledged write of a lock gets before the next is acknowledged,
 * counted from the sending as a lease is. Thread-safe.
 */
final class HeartbeatAges implements ExecutionInterceptor {

	private static final ExecutionAttribute<Long> SENT = new ExecutionAttribute<>("HeartbeatAges.Sent");

	private final Map<Map<String, AttributeValue>, Long> lastSent = new ConcurrentHashMap<>();

	private final LongAccumulator oldest = new LongAccumulator(Math::max, 0);

	private final LongAdder heartbeats = new LongAdder();

	/** How many writes followed another one of the same lock. */
	long heartbeats() {
		return this.heartbeats.sum();
	}

	/** The greatest age until now; every lock that was ever written counts. */
	double oldestSeconds() {
		long now = System.nanoTime();
		this.lastSent.values().forEach((sent) -> this.oldest.accumulate(now - sent));
		return Units.seconds(this.oldest.get());
	}

	@Override
	public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
		attributes.putAttribute(SENT, System.nanoTime());
	}

	@Override
	public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
		if (context.request() instanceof UpdateItemRequest write) {
			Long before = this.lastSent.put(write.key(), attributes.getAttribute(SENT));
			if (before != null) {
				this.heartbeats.increment();
				this.oldest.accumulate(System.nanoTime() - before);
			}
		}
	}

}
