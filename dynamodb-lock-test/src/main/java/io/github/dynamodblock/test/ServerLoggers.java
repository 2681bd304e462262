/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.util.logging.Level;

import ch.qos.logback.classic.LoggerContext;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * Keeps the server's loggers quiet. DynamoDB Local logs every request at INFO and every
 * unmet condition at WARN with a stack trace, through Log4j's API. Its HTTP server logs
 * through SLF4J. Levels that the application has set for these loggers are kept.
 *
 * <p>
 * Logging libraries are optional. There is one class for each, which is loaded only if
 * the library is used.
 */
final class ServerLoggers {

	private static final String DYNAMODB_LOCAL = "software.amazon.dynamodb";

	private static final String HTTP_SERVER = "org.eclipse.jetty";

	/** Logs through java.util.logging directly. */
	private static final String DATABASE = "com.almworks.sqlite4java";

	private ServerLoggers() {
	}

	/**
	 * Sets the levels of loggers without one. Called for every request, because a logging
	 * system forgets the levels when it is reconfigured.
	 */
	static void quieten() {
		ILoggerFactory slf4j = LoggerFactory.getILoggerFactory();
		String slf4jFactory = slf4j.getClass().getName();
		if (slf4jFactory.equals("ch.qos.logback.classic.LoggerContext")) {
			Logback.quieten(slf4j);
		}
		else if (slf4jFactory.equals("org.slf4j.simple.SimpleLoggerFactory")) {
			Slf4jSimple.quieten();
		}
		Log4j.quieten();
		JavaUtilLogging.quieten();
	}

	private static final class Logback {

		static void quieten(ILoggerFactory factory) {
			LoggerContext context = (LoggerContext) factory;
			quieten(context.getLogger(DYNAMODB_LOCAL), ch.qos.logback.classic.Level.ERROR);
			quieten(context.getLogger(HTTP_SERVER), ch.qos.logback.classic.Level.WARN);
		}

		private static void quieten(ch.qos.logback.classic.Logger logger, ch.qos.logback.classic.Level level) {
			if (logger.getLevel() == null) {
				logger.setLevel(level);
			}
		}

	}

	private static final class Slf4jSimple {

		private static final String PREFIX = "org.slf4j.simpleLogger.log.";

		static void quieten() {
			setIfAbsent(PREFIX + DYNAMODB_LOCAL, "error");
			setIfAbsent(PREFIX + HTTP_SERVER, "warn");
		}

	}

	private static final class Log4j {

		private static final String PROVIDERS = "META-INF/services/org.apache.logging.log4j.spi.Provider";

		private static final String CORE = "org.apache.logging.log4j.core.impl.Log4jContextFactory";

		static {
			// Without a provider, Log4j's API prints only errors, as wanted, but
			// complains about the missing provider at first use. Naming its fallback
			// avoids that.
			if (LogManager.class.getClassLoader().getResource(PROVIDERS) == null) {
				setIfAbsent("log4j2.loggerContextFactory",
						"org.apache.logging.log4j.simple.SimpleLoggerContextFactory");
			}
		}

		static void quieten() {
			if (LogManager.getFactory().getClass().getName().equals(CORE)) {
				Log4jCore.quieten();
			}
		}

	}

	private static final class Log4jCore {

		static void quieten() {
			quieten(DYNAMODB_LOCAL, org.apache.logging.log4j.Level.ERROR);
			quieten(HTTP_SERVER, org.apache.logging.log4j.Level.WARN);
		}

		private static void quieten(String name, org.apache.logging.log4j.Level level) {
			if (LogManager.getContext(false) instanceof org.apache.logging.log4j.core.LoggerContext context
					&& !context.getConfiguration().getLoggers().containsKey(name)) {
				Configurator.setLevel(name, level);
			}
		}

	}

	private static final class JavaUtilLogging {

		// Referenced here, because java.util.logging forgets unreferenced loggers.
		private static final java.util.logging.Logger dynamoDbLocal = java.util.logging.Logger
			.getLogger(DYNAMODB_LOCAL);

		private static final java.util.logging.Logger httpServer = java.util.logging.Logger.getLogger(HTTP_SERVER);

		private static final java.util.logging.Logger database = java.util.logging.Logger.getLogger(DATABASE);

		static void quieten() {
			quieten(dynamoDbLocal, Level.SEVERE);
			quieten(httpServer, Level.WARNING);
			quieten(database, Level.SEVERE);
		}

		private static void quieten(java.util.logging.Logger logger, Level level) {
			if (logger.getLevel() == null) {
				logger.setLevel(level);
			}
		}

	}

	private static void setIfAbsent(String property, String value) {
		if (System.getProperty(property) == null) {
			System.setProperty(property, value);
		}
	}

}
