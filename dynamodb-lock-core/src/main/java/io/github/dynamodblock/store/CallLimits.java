/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

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

	private static final long LONGEST_MILLIS = Step.Call.LONGEST_NANOS / 1_000_000;

	/** The longest limits end at multiples of this. */
	private static final int STEP_MILLIS = 100;

	/** The longest limit, by how many milliseconds it is shortened. */
	private static final List<AwsRequestOverrideConfiguration> LONGEST = IntStream.range(0, STEP_MILLIS)
		.mapToObj((shortened) -> ofMillis(LONGEST_MILLIS - shortened))
		.toList();

	private final LongSupplier nanoTime;

	/**
	 * @param nanoTime reads the clock that the SDK's timer goes by
	 */
	CallLimits(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Limits a call that is sent now.
	 * @param nanos the limit
	 * @return the limit for the request, which is at most that
	 */
	AwsRequestOverrideConfiguration limit(long nanos) {
		if (nanos != Step.Call.LONGEST_NANOS) {
			return ofMillis(nanos / 1_000_000);
		}
		long end = Math.floorDiv(this.nanoTime.getAsLong(), 1_000_000) + LONGEST_MILLIS;
		return LONGEST.get(Math.floorMod(end, STEP_MILLIS));
	}

	/** In whole milliseconds, since the SDK takes less than one for no limit at all. */
	private static AwsRequestOverrideConfiguration ofMillis(long millis) {
		Duration limit = Duration.ofMillis(Math.max(1, millis));
		return AwsRequestOverrideConfiguration.builder().apiCallTimeout(limit).build();
	}

}
