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
 * ends, although the call was answered long before. Limits are therefore shortened by at
 * most a fortieth, and by less than 100 ms, so that they end together with those of other
 * calls: the thread then wakes once for all of them. Thread-safe.
 */
final class CallLimits {

	/**
	 * A limit ends at a multiple of the largest of these that is at most a fortieth of
	 * it. Each is a multiple of the next, so limits of different lengths end together,
	 * too.
	 */
	private static final long[] STEPS_MILLIS = { 100, 20, 5, 1 };

	private static final int LEAST_STEPS = 40;

	/**
	 * Made once: a plugin that changes the client's own values costs the SDK far more.
	 */
	private static final ClientOverrideConfiguration RETRIES_NOTHING = ClientOverrideConfiguration.builder()
		.retryStrategy(AwsRetryStrategy.doNotRetry())
		.build();

	private static final SdkPlugin NO_RETRIES = (client) -> client.overrideConfiguration(RETRIES_NOTHING);

	/** By their milliseconds, of which there are as many as the longest step has. */
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
		long end = Math.floorDiv(this.nanoTime.getAsLong(), 1_000_000) + millis;
		long limit = millis - Math.floorMod(end, stepMillis(millis));
		// Most calls have the longest limit. There may be any number of others.
		return (nanos == Step.Call.LONGEST_NANOS) ? this.longest.computeIfAbsent(limit, CallLimits::withoutRetries)
				: withoutRetries(limit);
	}

	private static long stepMillis(long millis) {
		for (long step : STEPS_MILLIS) {
			if (step * LEAST_STEPS <= millis) {
				return step;
			}
		}
		return 1;
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
