/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * What is logged while a test runs, as text. What other tests log from their own threads
 * is left out; what clients and pools of other tests log from theirs is not, so that a
 * test which asks that something is not said names what only it says.
 */
public final class CapturedLog extends AppenderBase<ILoggingEvent> implements CharSequence, AutoCloseable {

	private final Logger root;

	private final PatternLayout layout = new PatternLayout();

	private final Queue<String> lines = new ConcurrentLinkedQueue<>();

	private final Thread test = Thread.currentThread();

	private CapturedLog(Logger root) {
		this.root = root;
		LoggerContext context = root.getLoggerContext();
		this.layout.setPattern("%d{HH:mm:ss.SSS} %-5level [%thread] %logger - %msg%n");
		this.layout.setContext(context);
		this.layout.start();
		setContext(context);
		start();
	}

	/** Captures what is logged from now on, for the test that runs in this thread. */
	static CapturedLog open() {
		Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
		CapturedLog log = new CapturedLog(root);
		root.addAppender(log);
		return log;
	}

	@Override
	protected void append(ILoggingEvent event) {
		if (!isAnotherTest(Thread.currentThread())) {
			this.lines.add(this.layout.doLayout(event));
		}
	}

	/** Tests that run beside each other do so in threads of one pool. */
	private boolean isAnotherTest(Thread thread) {
		ForkJoinPool pool = pool(this.test);
		return thread != this.test && pool != null && pool(thread) == pool;
	}

	private static @Nullable ForkJoinPool pool(Thread thread) {
		return (thread instanceof ForkJoinWorkerThread worker) ? worker.getPool() : null;
	}

	@Override
	public void close() {
		this.root.detachAppender(this);
		stop();
	}

	@Override
	public int length() {
		return toString().length();
	}

	@Override
	public char charAt(int index) {
		return toString().charAt(index);
	}

	@Override
	public CharSequence subSequence(int start, int end) {
		return toString().subSequence(start, end);
	}

	@Override
	public String toString() {
		return String.join("", this.lines);
	}

}
