/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Duration;

import io.github.dynamodblock.LogText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * What can be set of the service.
 *
 * @param maxLease no lease ends later than this from now: from 1 second to 363 days, in
 * whole seconds
 * @param bodyTimeout how long a request's body may take to arrive: from 100 milliseconds
 * to 1 minute
 * @param requestTimeout how long after its arrival a call is answered at the latest: from
 * 1 second to 1 minute
 * @param fingerprintKey the secret key of the fingerprints of instance ids and
 * idempotency keys, the same for all instances; of 16 characters or more. Without one,
 * fingerprints are plain hashes
 */
@ConfigurationProperties("lock-server")
public record LockServerProperties(@DefaultValue("1d") Duration maxLease, @DefaultValue("5s") Duration bodyTimeout,
		@DefaultValue("10s") Duration requestTimeout, @Nullable String fingerprintKey) {

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	/**
	 * Less than the lock client's longest lease: what is stored is longer by the rest of
	 * a second and the clock bound, a day at most.
	 */
	private static final Duration LONGEST = Duration.ofDays(363);

	private static final Duration SHORTEST_BODY_TIMEOUT = Duration.ofMillis(100);

	private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);

	private static final int SHORTEST_KEY = 16;

	public LockServerProperties {
		if (maxLease.compareTo(SHORTEST) < 0 || maxLease.compareTo(LONGEST) > 0 || maxLease.toNanosPart() != 0) {
			throw new IllegalArgumentException("lock-server.max-lease is " + LogText.of(maxLease)
					+ "; it must be from 1 second to 363 days, in whole seconds, such as 1d");
		}
		if (bodyTimeout.compareTo(SHORTEST_BODY_TIMEOUT) < 0 || bodyTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
			throw new IllegalArgumentException("lock-server.body-timeout is " + LogText.of(bodyTimeout)
					+ "; it must be from 100 milliseconds to 1 minute, such as 5s");
		}
		if (requestTimeout.compareTo(SHORTEST) < 0 || requestTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
			throw new IllegalArgumentException("lock-server.request-timeout is " + LogText.of(requestTimeout)
					+ "; it must be from 1 second to 1 minute, such as 10s");
		}
		fingerprintKey = StringUtils.hasText(fingerprintKey) ? fingerprintKey : null;
		if (fingerprintKey != null && fingerprintKey.length() < SHORTEST_KEY) {
			throw new IllegalArgumentException("lock-server.fingerprint-key has " + fingerprintKey.length()
					+ " characters; it must have at least " + SHORTEST_KEY + " random characters");
		}
	}

	/**
	 * The properties, without the key.
	 */
	@Override
	public String toString() {
		return "LockServerProperties[maxLease=" + this.maxLease + ", bodyTimeout=" + this.bodyTimeout
				+ ", requestTimeout=" + this.requestTimeout + ", fingerprintKey="
				+ ((this.fingerprintKey != null) ? "******" : "none") + "]";
	}

}
