/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Threads for bodies and the dependent stages of callers' futures: virtual threads, or
 * daemon threads that end after a few idle seconds. A body may wait for another one, such
 * as a nested call's. Tasks are therefore never queued, as they would be in the
 * application's pool. If no thread can be started, the task runs in the submitting
 * thread, so no lock and no result is lost.
 */
final class BodyThreads implements Executor {

	private static final Logger logger = LoggerFactory.getLogger(BodyThreads.class);

	private static final String NAME = "dynamodb-lock-body";

	private static final long IDLE_SECONDS = 5;

	/**
	 * Captured here, because the threads that submit tasks may have the system's class
	 * loader.
	 */
	private final @Nullable ClassLoader classLoader = Thread.currentThread().getContextClassLoader();

	private volatile Executor threads;

	BodyThreads() {
		this(new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
				BodyThreads::thread));
	}

	BodyThreads(Executor threads) {
		this.threads = threads;
	}

	private static Thread thread(Runnable task) {
		// Without the inheritable thread locals of the first caller, such as its tenant.
		Thread thread = new Thread(null, task, NAME, 0, false);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Uses virtual threads from now on.
	 * @throws UnsupportedOperationException if the JVM has none
	 */
	void useVirtualThreads() {
		this.threads = new VirtualThreadTaskExecutor(NAME + "-");
	}

	@Override
	public void execute(Runnable task) {
		try {
			this.threads.execute(() -> {
				Thread.currentThread().setContextClassLoader(this.classLoader);
				task.run();
			});
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			// The JVM throws an OutOfMemoryError if it cannot start more threads.
			logger.warn("Could not start a thread to complete a locked call; completing it in thread '{}'",
					Thread.currentThread().getName(), ex);
			task.run();
		}
	}

}
