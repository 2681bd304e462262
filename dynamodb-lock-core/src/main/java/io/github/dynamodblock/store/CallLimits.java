/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.dynamodblock.protocol.Step;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;

/**
 * The time limits of calls. The SDK enforces them: it aborts the HTTP request of a call
 * that is overdue, so that the call keeps neither its thread nor its connection.
 * <p>
 * The SDK schedules a task for each limit, and a thread of the SDK wakes when a limit
 * ends, although the call was answered long before. Most calls have the longest limit. It
 * is shortened here by less than 100 ms so that it ends together with those of other
 * calls: the thread then wakes once for all of them. Thread-safe.
 */
final class CallLimits {

	/** The longest limits end at multiples of this. */
	private static final int STEP_MILLIS = 100;

	private final LongSupplier nanoTime;

	/** Reads the clock that the SDK's timer uses. */
	CallLimits(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** The limit for the request of a call that is sent now: at most the given one. */
	AwsRequestOverrideConfiguration limit(long nanos) {
		long millis = nanos / 1_000_000;
		if (nanos == Step.Call.LONGEST_NANOS) {
			long end = Math.floorDiv(this.nanoTime.getAsLong(), 1_000_000) + millis;
			millis -= Math.floorMod(end, STEP_MILLIS);
		}
		// In whole milliseconds, since the SDK takes less than one for no limit at all.
		Duration limit = Duration.ofMillis(Math.max(1, millis));
		return AwsRequestOverrideConfiguration.builder().apiCallTimeout(limit).build();
	}

}
