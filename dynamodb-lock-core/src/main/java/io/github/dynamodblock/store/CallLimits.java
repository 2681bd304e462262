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
 * The time limits of calls. The SDK does not retry these calls, but it enforces the
 * limits: it aborts the HTTP request of an overdue call, which frees the call's thread
 * and connection.
 * <p>
 * The SDK schedules a task for each limit. At the end of each limit, a thread of the SDK
 * wakes, although the call was answered long before. Limits are therefore shortened, by
 * at most a fortieth and by less than 100 ms, so that many end at the same time and the
 * thread wakes once for all of them. Thread-safe.
 */
final class CallLimits {

	/**
	 * A limit ends at a multiple of one of these steps: the largest that is at most a
	 * fortieth of the limit. Each step is a multiple of the next, so limits of different
	 * lengths end together, too.
	 */
	private static final long[] STEPS_MILLIS = { 100, 20, 5, 1 };

	private static final int LEAST_STEPS = 40;

	/**
	 * Created once: a plugin that changes the client's own values costs far more per
	 * call.
	 */
	private static final ClientOverrideConfiguration RETRIES_NOTHING = ClientOverrideConfiguration.builder()
		.retryStrategy(AwsRetryStrategy.doNotRetry())
		.build();

	private static final SdkPlugin NO_RETRIES = (client) -> client.overrideConfiguration(RETRIES_NOTHING);

	/** By their milliseconds: at most 100, because the longest step has 100 ms. */
	private final Map<Long, AwsRequestOverrideConfiguration> longest = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	/** Creates limits by the clock that the SDK's timer uses. */
	CallLimits(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Returns the configuration of a call that is sent now, with at most the given limit.
	 * The SDK does not retry the call, because its retries would hide earlier answers.
	 * The protocol retries instead.
	 */
	AwsRequestOverrideConfiguration limit(long nanos) {
		long millis = nanos / 1_000_000;
		long end = Math.floorDiv(this.nanoTime.getAsLong(), 1_000_000) + millis;
		long limit = millis - Math.floorMod(end, stepMillis(millis));
		// Most calls have the longest limit. Others are not kept, because their number is
		// unbounded.
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

	/** Returns the configuration of a page of a listing, which only the SDK retries. */
	AwsRequestOverrideConfiguration limitOfPage() {
		return AwsRequestOverrideConfiguration.builder()
			.apiCallTimeout(Duration.ofNanos(Step.Call.LONGEST_NANOS))
			.build();
	}

	private static AwsRequestOverrideConfiguration withoutRetries(long millis) {
		// At least one millisecond: the SDK treats less as no limit.
		return AwsRequestOverrideConfiguration.builder()
			.apiCallTimeout(Duration.ofMillis(Math.max(1, millis)))
			.addPlugin(NO_RETRIES)
			.build();
	}

}
