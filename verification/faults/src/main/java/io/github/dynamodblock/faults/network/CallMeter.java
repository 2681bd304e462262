/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.network;

import java.util.Map;
import java.util.TreeMap;

import io.github.dynamodblock.faults.worker.GuardedCounter;
import org.jspecify.annotations.Nullable;

/**
 * Counts what lock clients send, the SDK's own retries too, and what it would cost for
 * items of up to 1 KB. Calls about the guarded counter are counted separately, and
 * without their cost. Thread-safe.
 */
public final class CallMeter {

	/** What the calls about the guarded counter are counted under, after their names. */
	public static final String GUARDED = ", guarded counter";

	private static final String TARGET = "x-amz-target";

	private static final double EVENTUALLY_CONSISTENT_READ = 0.5;

	private final Map<String, Long> calls = new TreeMap<>();

	private double units;

	synchronized void count(HttpMessage request) {
		@Nullable String target = request.header(TARGET);
		String operation = (target != null) ? target.substring(target.indexOf('.') + 1) : "unknown";
		if (request.contains(GuardedCounter.TABLE)) {
			this.calls.merge(operation + GUARDED, 1L, Long::sum);
			return;
		}
		this.calls.merge(operation, 1L, Long::sum);
		boolean cheap = operation.equals("GetItem") && !request.contains("\"ConsistentRead\":true");
		this.units += cheap ? EVENTUALLY_CONSISTENT_READ : 1;
	}

	/** How many calls there were, by operation. */
	public synchronized Map<String, Long> calls() {
		return new TreeMap<>(this.calls);
	}

	/** Read and write capacity units together. */
	public synchronized double units() {
		return this.units;
	}

}
