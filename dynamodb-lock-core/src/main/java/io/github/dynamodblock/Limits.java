/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Checks the options of clients and requests.
 */
final class Limits {

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

	private static final Duration LONGEST_LEASE = Duration.ofDays(365);

	private static final Duration SHORTEST_HEARTBEAT_PERIOD = Duration.ofMillis(10);

	private static final Duration SHORTEST_POLL_INTERVAL = Duration.ofMillis(10);

	private static final Duration LONGEST_POLL_INTERVAL = Duration.ofHours(1);

	private static final int MOST_CONCURRENT_CALLS = 10_000;

	private Limits() {
	}

	static void checkLease(Duration lease) {
		if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
			throw new IllegalArgumentException("leaseDuration is " + lease + "; it must be from 100 ms to 365 days");
		}
		if (!lease.equals(Duration.ofMillis(lease.toMillis()))) {
			throw new IllegalArgumentException(
					"leaseDuration is " + lease + "; it must be in whole milliseconds, as the lock's item stores it");
		}
	}

	static void checkHeartbeat(Duration heartbeat) {
		if (heartbeat.compareTo(SHORTEST_HEARTBEAT_PERIOD) < 0 || heartbeat.compareTo(LONGEST_LEASE) > 0) {
			throw new IllegalArgumentException(
					"heartbeatPeriod is " + heartbeat + "; it must be at least 10 ms, and at most half the lease");
		}
	}

	static void checkExpiryWarning(Duration warning) {
		if (warning.isNegative() || warning.isZero() || warning.compareTo(LONGEST_LEASE) > 0) {
			throw new IllegalArgumentException(
					"expiryWarning is " + warning + "; it must be positive, and shorter than the lease");
		}
	}

	static void checkPollInterval(Duration interval) {
		if (interval.compareTo(SHORTEST_POLL_INTERVAL) < 0 || interval.compareTo(LONGEST_POLL_INTERVAL) > 0) {
			throw new IllegalArgumentException("pollInterval is " + interval + "; it must be from 10 ms to 1 hour");
		}
	}

	static void checkWaitTime(Duration waitTime) {
		requireNotNegative("waitTime", waitTime);
	}

	static void checkHoldAtLeast(Duration holdAtLeast) {
		requireNotNegative("holdAtLeast", holdAtLeast);
		if (holdAtLeast.compareTo(LONGEST_LEASE) > 0) {
			throw new IllegalArgumentException("holdAtLeast is " + holdAtLeast + "; it must be at most 365 days");
		}
	}

	private static void requireNotNegative(String name, Duration value) {
		if (value.isNegative()) {
			throw new IllegalArgumentException(name + " is " + value + "; it must not be negative");
		}
	}

	static void checkHoldAtMost(@Nullable Duration holdAtMost) {
		if (holdAtMost != null && holdAtMost.compareTo(SHORTEST_LEASE) < 0) {
			throw new IllegalArgumentException("holdAtMost is " + holdAtMost + "; it must be at least 100 ms");
		}
	}

	static void checkOwnerName(String ownerName) {
		if (Objects.requireNonNull(ownerName, "ownerName").isEmpty()) {
			throw new IllegalArgumentException("ownerName is empty; use the name of the owner of the locks");
		}
	}

	static void checkClockSkewBound(Duration bound) {
		if (bound.isNegative() || bound.isZero() || bound.compareTo(Duration.ofDays(1)) > 0) {
			throw new IllegalArgumentException(
					"clockSkewBound is " + bound + "; it must be positive, and at most a day");
		}
	}

	static void checkClockRateTolerance(double tolerance) {
		if (!(tolerance >= 0 && tolerance <= 0.2)) {
			throw new IllegalArgumentException("clockRateTolerance is " + tolerance + "; it must be from 0 to 0.2");
		}
	}

	static void checkTimeToLive(@Nullable Duration timeToLive) {
		if (timeToLive != null
				&& (timeToLive.compareTo(Duration.ofDays(1)) < 0 || timeToLive.compareTo(Duration.ofDays(3650)) > 0)) {
			throw new IllegalArgumentException(
					"timeToLive is " + timeToLive + "; it must be from 1 to 3650 days, or null for never");
		}
	}

	static void checkObservationCapacity(int observationCapacity) {
		if (observationCapacity <= 0) {
			throw new IllegalArgumentException(
					"observationCapacity is " + observationCapacity + "; it must be positive");
		}
	}

	static void checkConcurrency(String option, int calls) {
		if (calls < 1 || calls > MOST_CONCURRENT_CALLS) {
			throw new IllegalArgumentException(
					option + " is " + calls + "; it must be from 1 to " + MOST_CONCURRENT_CALLS);
		}
	}

	static void checkHeartbeatsPerSecond(double heartbeatsPerSecond) {
		if (!(heartbeatsPerSecond > 0) || heartbeatsPerSecond > 1_000_000) {
			throw new IllegalArgumentException(
					"heartbeatsPerSecond is " + heartbeatsPerSecond + "; it must be positive, and at most a million");
		}
	}

}
