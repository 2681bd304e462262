/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Checks the durations and numbers among the options of clients and requests.
 */
final class Limits {

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

	private static final Duration SHORTEST_PERIOD = Duration.ofMillis(10);

	private static final Duration SHORTEST_TIME = Duration.ofNanos(1);

	private static final Duration DAY = Duration.ofDays(1);

	private static final Duration YEAR = Duration.ofDays(365);

	private Limits() {
	}

	static Duration checkLease(Duration lease) {
		check("leaseDuration", lease, SHORTEST_LEASE, YEAR, "be from 100 ms to 365 days");
		return check("leaseDuration", lease, lease.equals(lease.truncatedTo(ChronoUnit.MILLIS)),
				"be in whole milliseconds, because that is what the lock's item stores");
	}

	static Duration checkHeartbeat(Duration heartbeat) {
		return check("heartbeatPeriod", heartbeat, SHORTEST_PERIOD, YEAR,
				"be at least 10 ms, and at most half the lease");
	}

	static Duration checkExpiryWarning(Duration warning) {
		return check("expiryWarning", warning, SHORTEST_TIME, YEAR, "be positive, and shorter than the lease");
	}

	static Duration checkPollInterval(Duration interval) {
		return check("pollInterval", interval, SHORTEST_PERIOD, Duration.ofHours(1), "be from 10 ms to 1 hour");
	}

	static Duration checkWaitTime(Duration waitTime) {
		return check("waitTime", waitTime, !waitTime.isNegative(), "not be negative");
	}

	static Duration checkHoldAtLeast(Duration holdAtLeast) {
		return check("holdAtLeast", holdAtLeast, Duration.ZERO, YEAR, "be from 0 s to 365 days");
	}

	static Duration checkHoldAtMost(Duration holdAtMost) {
		return check("holdAtMost", holdAtMost, holdAtMost.compareTo(SHORTEST_LEASE) >= 0, "be at least 100 ms");
	}

	static Duration checkClockSkewBound(Duration bound) {
		return check("clockSkewBound", bound, SHORTEST_TIME, DAY, "be positive, and at most a day");
	}

	static Duration checkTimeToLive(Duration timeToLive) {
		return check("timeToLive", timeToLive, DAY, DAY.multipliedBy(3650),
				"be from 1 to 3650 days, or null for never");
	}

	static double checkClockRateTolerance(double tolerance) {
		return check("clockRateTolerance", tolerance, tolerance >= 0 && tolerance <= 0.2, "be from 0 to 0.2");
	}

	static int checkConcurrency(String option, int calls) {
		return check(option, calls, calls >= 1 && calls <= 10_000, "be from 1 to 10000");
	}

	static int checkPermits(int permits) {
		return check("permits", permits, permits >= 1 && permits <= 100, "be from 1 to 100");
	}

	static int checkSlot(int slot, int permits) {
		return check("slot", slot, slot >= 0 && slot < permits, "be from 0 to " + (permits - 1) + " for these permits");
	}

	static String checkOwnerName(String ownerName) {
		String shown = LogText.of(ownerName);
		check("ownerName", "'" + shown + "'", !ownerName.isEmpty() && shown.equals(ownerName),
				"have at least one character, and no characters that logs cannot show, such as control characters");
		return ownerName;
	}

	private static Duration check(String option, Duration value, Duration least, Duration most, String rule) {
		return check(option, value, value.compareTo(least) >= 0 && value.compareTo(most) <= 0, rule);
	}

	private static <T> T check(String option, T value, boolean valid, String rule) {
		if (!valid) {
			Object text = (value instanceof Duration duration) ? LogText.of(duration) : value;
			throw new InvalidLockOptionException(option, option + " is " + text + "; it must " + rule);
		}
		return value;
	}

}
