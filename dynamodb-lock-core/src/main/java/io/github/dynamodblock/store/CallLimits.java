/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.dynamodblock.protocol.Step;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;

/**
 * The time limits of calls, which the SDK does not retry. It enforces the limits: it
 * aborts the HTTP request of a call that is overdue, so that the call keeps neither its
 * thread nor its connection.
 * <p>
 * The SDK schedules a task for each limit, and a thread of the SDK wakes when a limit
 * ends, although the call was answered long before. Most calls have the longest limit. It
 * is shortened here by less than 100 ms so that it ends together with those of other
 * calls: the thread then wakes once for all of them. Thread-safe.
 */
final class CallLimits {

	/** The longest limits end at multiples of this. */
	private static final int STEP_MILLIS = 100;

	/**
	 * Made once: a plugin that changes the client's own values costs the SDK far more.
	 */
	private static final ClientOverrideConfiguration RETRIES_NOTHING = ClientOverrideConfiguration.builder()
		.retryStrategy(AwsRetryStrategy.doNotRetry())
		.build();

	private static final SdkPlugin NO_RETRIES = (client) -> client.overrideConfiguration(RETRIES_NOTHING);

	/** By their milliseconds, of which there are as many as a step has. */
	private final Map<Long, AwsRequestOverrideConfiguration> longest = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	/** Reads the clock that the SDK's timer uses. */
	CallLimits(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * The limit for the request of a call that is sent now: at most the given one. The
	 * protocol retries it: a retry of the SDK hides what was answered before.
	 */
	AwsRequestOverrideConfiguration limit(long nanos) {
		long millis = nanos / 1_000_000;
		if (nanos == Step.Call.LONGEST_NANOS) {
			long end = Math.floorDiv(this.nanoTime.getAsLong(), 1_000_000) + millis;
			millis -= Math.floorMod(end, STEP_MILLIS);
		}
		return (nanos == Step.Call.LONGEST_NANOS) ? this.longest.computeIfAbsent(millis, CallLimits::withoutRetries)
				: withoutRetries(millis);
	}

	/** The limit of a page of a listing, which nothing but the SDK retries. */
	AwsRequestOverrideConfiguration limitOfPage() {
		return AwsRequestOverrideConfiguration.builder()
			.apiCallTimeout(Duration.ofNanos(Step.Call.LONGEST_NANOS))
			.build();
	}

	private static AwsRequestOverrideConfiguration withoutRetries(long millis) {
		// In whole milliseconds, since the SDK takes less than one for no limit at all.
		return AwsRequestOverrideConfiguration.builder()
			.apiCallTimeout(Duration.ofMillis(Math.max(1, millis)))
			.addPlugin(NO_RETRIES)
			.build();
	}

}
