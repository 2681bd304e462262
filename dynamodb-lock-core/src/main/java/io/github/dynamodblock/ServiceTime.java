/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.time.Instant;

/**
 * DynamoDB's time of day. It is a range, because the {@code Date} of a response has a
 * resolution of one second, and a response takes some time to arrive. It shows whether a
 * process's own wall clock is right. It never lets a client acquire a lock earlier; a
 * client with a {@linkplain LockClientBuilder#clockSkewBound clock bound} may wait longer
 * because of it. Immutable.
 *
 * <pre>{@code
 * client.serviceTime().ifPresent((time) -> logger.info("Clock difference: {}", time.differenceOf(Instant.now())));
 * }</pre>
 *
 * @param earliest the earliest possible time
 * @param latest the latest possible time
 */
public record ServiceTime(Instant earliest, Instant latest) {

	public ServiceTime {
		if (latest.isBefore(earliest)) {
			throw new IllegalArgumentException("latest (" + latest + ") is before earliest (" + earliest + ")");
		}
	}

	/**
	 * Returns the minimum difference between a clock and DynamoDB's: positive if the
	 * clock is ahead, negative if it is behind, and zero if both may agree.
	 * @param clock what the clock shows
	 */
	public Duration differenceOf(Instant clock) {
		if (clock.isAfter(this.latest)) {
			return Duration.between(this.latest, clock);
		}
		return clock.isBefore(this.earliest) ? Duration.between(this.earliest, clock) : Duration.ZERO;
	}

	/**
	 * Returns whether a clock may be right, given what is known of DynamoDB's time.
	 * @param clock what the clock shows
	 * @param tolerance the difference from DynamoDB's clock that is accepted
	 */
	public boolean allows(Instant clock, Duration tolerance) {
		return differenceOf(clock).abs().compareTo(tolerance) <= 0;
	}

	/**
	 * {@return the length of the range}
	 */
	public Duration uncertainty() {
		return Duration.between(this.earliest, this.latest);
	}

}
