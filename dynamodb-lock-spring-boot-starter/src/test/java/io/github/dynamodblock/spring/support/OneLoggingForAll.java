/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Keeps the applications that tests start from setting up logging anew, which would drop
 * what other tests log at that moment, and take away what they listen with. JUnit finds
 * it by itself.
 */
public final class OneLoggingForAll implements BeforeAllCallback {

	static {
		CapturedLog.attach();
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
	}

}
