/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.logging.LogFile;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.logging.LoggingSystemFactory;
import org.springframework.boot.logging.logback.LogbackLoggingSystem;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Sets up logging for the first instance of a JVM and leaves it alone for all others:
 * each would reset it while others start, which then miss what the form of the lines
 * needs.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class OneLoggingForAll implements LoggingSystemFactory {

	@Override
	public LoggingSystem getLoggingSystem(ClassLoader classLoader) {
		return new Logback(classLoader);
	}

	private static final class Logback extends LogbackLoggingSystem {

		private static boolean begun;

		private static boolean initialized;

		private Logback(ClassLoader classLoader) {
			super(classLoader);
		}

		@Override
		public void beforeInitialize() {
			synchronized (Logback.class) {
				if (!begun) {
					begun = true;
					super.beforeInitialize();
				}
			}
		}

		@Override
		public void initialize(LoggingInitializationContext context, @Nullable String configLocation,
				@Nullable LogFile logFile) {
			synchronized (Logback.class) {
				if (!initialized) {
					initialized = true;
					super.initialize(context, configLocation, logFile);
				}
			}
		}

		@Override
		public void cleanUp() {
			// Other instances still log.
		}

	}

}
