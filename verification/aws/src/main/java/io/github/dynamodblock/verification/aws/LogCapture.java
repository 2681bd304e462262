/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.LoggerFactory;

/** The warnings that the lock client logs in this process. */
final class LogCapture implements AutoCloseable {

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.dynamodblock");

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	/** Begins to collect. */
	LogCapture() {
		this.appender.start();
		this.logger.addAppender(this.appender);
	}

	/** Returns the warnings and errors so far. */
	List<String> warnings() {
		return List.copyOf(this.appender.list)
			.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(Level.WARN))
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	@Override
	public void close() {
		this.logger.detachAppender(this.appender);
		this.appender.stop();
	}

}
