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
 * The properties of the service.
 *
 * @param maxLease the maximum time from now until a lease ends: from 1 second to 363
 * days, in whole seconds
 * @param bodyTimeout how long a request's body may take to arrive: from 100 milliseconds
 * to 1 minute
 * @param requestTimeout the maximum time from a call's arrival to its response: from 1
 * second to 1 minute
 * @param fingerprintKey the secret key for fingerprints of instance IDs and idempotency
 * keys, with at least 16 characters. All instances of the service need the same key.
 * Without one, fingerprints are plain hashes
 */
@ConfigurationProperties("lock-server")
public record LockServerProperties(@DefaultValue("1d") Duration maxLease, @DefaultValue("5s") Duration bodyTimeout,
		@DefaultValue("10s") Duration requestTimeout, @Nullable String fingerprintKey) {

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	/**
	 * Less than the lock client's longest lease, because the stored lease is longer: by
	 * up to a second, and by the clock bound, which is at most a day.
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
	 * Returns the properties without the key.
	 */
	@Override
	public String toString() {
		return "LockServerProperties[maxLease=" + this.maxLease + ", bodyTimeout=" + this.bodyTimeout
				+ ", requestTimeout=" + this.requestTimeout + ", fingerprintKey="
				+ ((this.fingerprintKey != null) ? "******" : "none") + "]";
	}

}
