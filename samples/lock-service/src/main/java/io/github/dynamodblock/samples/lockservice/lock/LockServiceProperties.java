/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.lock;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What can be set of the service.
 *
 * @param maxLease no lease ends later than this from now: from 1 second to 363 days, in
 * whole seconds
 */
@ConfigurationProperties("lock-service")
public record LockServiceProperties(@DefaultValue("1d") Duration maxLease) {

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	/**
	 * Less than the lock client's longest lease: what is stored is longer by the rest of
	 * a second and the clock bound, a day at most.
	 */
	private static final Duration LONGEST = Duration.ofDays(363);

	public LockServiceProperties {
		if (maxLease.compareTo(SHORTEST) < 0 || maxLease.compareTo(LONGEST) > 0 || maxLease.toNanosPart() != 0) {
			throw new IllegalArgumentException("lock-service.max-lease is " + maxLease
					+ "; it must be from 1 second to 363 days, in whole seconds, such as 1d");
		}
	}

}
