/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.time.Duration;

/**
 * How long the keys of an issuer are used, and how long a request waits for them.
 *
 * @param connect how long a connection to the issuer may take
 * @param read how long the issuer may be silent
 * @param fresh how long keys are used without another look; after half of it they are
 * looked at in the background, as soon as a token comes
 * @param patience how long callers wait for the one that asks the issuer; longer than one
 * request takes, so that those who wait get what it got
 * @param outage how long known keys are used when the issuer gives none
 * @param pauseAfterAnswer how long what the issuer answered is taken for its present
 * keys, whatever key a token names
 * @param pauseAfterFailure how long an issuer that gave no keys is not asked again
 */
record KeyTimes(Duration connect, Duration read, Duration fresh, Duration patience, Duration outage,
		Duration pauseAfterAnswer, Duration pauseAfterFailure) {

	static final KeyTimes DEFAULTS = new KeyTimes(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofMinutes(5),
			Duration.ofSeconds(6), Duration.ofHours(12), Duration.ofSeconds(10), Duration.ofSeconds(1));

}
