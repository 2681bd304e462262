/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every condition that a test awaits have the time that a busy machine needs, which
 * costs nothing where it is met. JUnit finds it by itself.
 */
public final class PatientConditions implements BeforeAllCallback {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(LIMIT);
	}

}
