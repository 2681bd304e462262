/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.conditions;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives every condition that a test awaits the time that a busy machine needs, and checks
 * it soon and often at first: Awaitility's own interval of 100 ms is most of what a short
 * test would take. JUnit finds it by itself.
 */
public final class PatientConditions implements BeforeAllCallback {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final Duration SHORTEST_POLL = Duration.ofMillis(5);

	private static final Duration LONGEST_POLL = Duration.ofMillis(100);

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(LIMIT);
		Awaitility.setDefaultPollDelay(SHORTEST_POLL);
		Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(PatientConditions::next, SHORTEST_POLL));
	}

	private static Duration next(Duration previous) {
		Duration twice = previous.multipliedBy(2);
		return (twice.compareTo(LONGEST_POLL) > 0) ? LONGEST_POLL : twice;
	}

}
