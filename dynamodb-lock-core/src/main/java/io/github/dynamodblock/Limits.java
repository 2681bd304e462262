/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Checks the durations and numbers among the options of clients and requests.
 */
final class Limits {

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

	private static final Duration LONGEST_LEASE = Duration.ofDays(365);

	private static final Duration SHORTEST_PERIOD = Duration.ofMillis(10);

	private Limits() {
	}

	static void checkLease(Duration lease) {
		check("leaseDuration", lease, isWithin(lease, SHORTEST_LEASE, LONGEST_LEASE), "be from 100 ms to 365 days");
		check("leaseDuration", lease, lease.equals(Duration.ofMillis(lease.toMillis())),
				"be in whole milliseconds, as the lock's item stores it");
	}

	static void checkHeartbeat(Duration heartbeat) {
		check("heartbeatPeriod", heartbeat, isWithin(heartbeat, SHORTEST_PERIOD, LONGEST_LEASE),
				"be at least 10 ms, and at most half the lease");
	}

	static void checkExpiryWarning(Duration warning) {
		check("expiryWarning", warning, isPositive(warning) && isWithin(warning, Duration.ZERO, LONGEST_LEASE),
				"be positive, and shorter than the lease");
	}

	static void checkPollInterval(Duration interval) {
		check("pollInterval", interval, isWithin(interval, SHORTEST_PERIOD, Duration.ofHours(1)),
				"be from 10 ms to 1 hour");
	}

	static void checkWaitTime(Duration waitTime) {
		check("waitTime", waitTime, !waitTime.isNegative(), "not be negative");
	}

	static void checkHoldAtLeast(Duration holdAtLeast) {
		check("holdAtLeast", holdAtLeast, isWithin(holdAtLeast, Duration.ZERO, LONGEST_LEASE),
				"be from 0 s to 365 days");
	}

	static void checkHoldAtMost(@Nullable Duration holdAtMost) {
		if (holdAtMost != null) {
			check("holdAtMost", holdAtMost, holdAtMost.compareTo(SHORTEST_LEASE) >= 0, "be at least 100 ms");
		}
	}

	static void checkClockSkewBound(Duration bound) {
		check("clockSkewBound", bound, isPositive(bound) && isWithin(bound, Duration.ZERO, Duration.ofDays(1)),
				"be positive, and at most a day");
	}

	static void checkTimeToLive(@Nullable Duration timeToLive) {
		if (timeToLive != null) {
			check("timeToLive", timeToLive, isWithin(timeToLive, Duration.ofDays(1), Duration.ofDays(3650)),
					"be from 1 to 3650 days, or null for never");
		}
	}

	static void checkClockRateTolerance(double tolerance) {
		check("clockRateTolerance", tolerance, tolerance >= 0 && tolerance <= 0.2, "be from 0 to 0.2");
	}

	static void checkObservationCapacity(int capacity) {
		check("observationCapacity", capacity, capacity > 0, "be positive");
	}

	static void checkConcurrency(String option, int calls) {
		check(option, calls, calls >= 1 && calls <= 10_000, "be from 1 to 10000");
	}

	static void checkHeartbeatsPerSecond(double rate) {
		check("heartbeatsPerSecond", rate, rate > 0 && rate <= 1_000_000, "be positive, and at most a million");
	}

	static void checkOwnerName(String option, String ownerName) {
		if (ownerName.isEmpty()) {
			throw new InvalidLockOptionException(option, option + " is empty; use the name of the owner of the locks");
		}
	}

	private static boolean isPositive(Duration value) {
		return !value.isNegative() && !value.isZero();
	}

	private static boolean isWithin(Duration value, Duration least, Duration most) {
		return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
	}

	private static void check(String option, Duration value, boolean valid, String rule) {
		if (!valid) {
			throw new InvalidLockOptionException(option, option + " is " + Printable.of(value) + "; it must " + rule);
		}
	}

	private static void check(String option, Number value, boolean valid, String rule) {
		if (!valid) {
			throw new InvalidLockOptionException(option, option + " is " + value + "; it must " + rule);
		}
	}

}
