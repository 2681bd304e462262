/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
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
public final class CapturedLog implements CharSequence, AutoCloseable {

	private static final Dispatcher DISPATCHER = new Dispatcher();

	/** Only appended to, by any thread. A pattern reads it character by character. */
	@SuppressWarnings("JdkObsolete")
	private final StringBuffer text = new StringBuffer();

	private final Thread test = Thread.currentThread();

	private CapturedLog() {
	}

	/** Attaches the one appender of all, before tests run. */
	static void attach() {
		DISPATCHER.attach();
	}

	/** Captures what is logged from now on, for the test that runs in this thread. */
	static CapturedLog open() {
		CapturedLog log = new CapturedLog();
		DISPATCHER.open.add(log);
		return log;
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
		DISPATCHER.open.remove(this);
	}

	@Override
	public int length() {
		return this.text.length();
	}

	@Override
	public char charAt(int index) {
		return this.text.charAt(index);
	}

	@Override
	public CharSequence subSequence(int start, int end) {
		return this.text.subSequence(start, end);
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

	/**
	 * The appender of all captured logs. Logback may overlook an appender that is added
	 * while another thread logs, so that it is added once.
	 */
	private static final class Dispatcher extends AppenderBase<ILoggingEvent> {

		private final PatternLayout layout = new PatternLayout();

		@SuppressWarnings("CollectionUndefinedEquality") // each is equal to itself alone
		private final Collection<CapturedLog> open = new CopyOnWriteArrayList<>();

		void attach() {
			Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
			LoggerContext context = root.getLoggerContext();
			this.layout.setPattern("%d{HH:mm:ss.SSS} %-5level [%thread] %logger - %msg%n");
			this.layout.setContext(context);
			this.layout.start();
			setContext(context);
			start();
			root.addAppender(this);
		}

		@Override
		protected void append(ILoggingEvent event) {
			String line = null;
			for (CapturedLog log : this.open) {
				if (!log.isAnotherTest(Thread.currentThread())) {
					line = (line != null) ? line : this.layout.doLayout(event);
					log.text.append(line);
				}
			}
		}

	}

}
