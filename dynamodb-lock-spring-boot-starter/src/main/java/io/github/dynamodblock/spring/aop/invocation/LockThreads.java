/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daemon threads of the advice, each of which ends after a few idle seconds. Never
 * rejects a task. If no thread can be started, the task runs in the submitting thread, so
 * that no lock and no result is lost.
 */
final class LockThreads implements Executor, AutoCloseable {

	/** By default, the DynamoDB client does not have many more connections. */
	static final int MOST_RELEASES = 32;

	private static final Logger logger = LoggerFactory.getLogger(LockThreads.class);

	private static final long IDLE_SECONDS = 5;

	private final ThreadPoolExecutor threads;

	private LockThreads(int core, int most, BlockingQueue<Runnable> queue, ThreadFactory factory) {
		this.threads = new ThreadPoolExecutor(core, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, factory,
				new ThreadPoolExecutor.AbortPolicy());
		this.threads.allowCoreThreadTimeOut(true);
	}

	/**
	 * Creates threads for tasks that wait only for DynamoDB, never for other tasks.
	 * Excess tasks are queued.
	 */
	static LockThreads forReleases() {
		return forReleases((task) -> thread("dynamodb-lock-release", task));
	}

	static LockThreads forReleases(ThreadFactory factory) {
		return new LockThreads(MOST_RELEASES, MOST_RELEASES, new LinkedBlockingQueue<>(), factory);
	}

	/**
	 * Creates threads for bodies and the dependent stages of callers' futures. A task may
	 * wait for another one, such as a nested call's, which therefore must not be queued.
	 * The number of threads is unlimited.
	 */
	static LockThreads forBodies() {
		return new LockThreads(0, Integer.MAX_VALUE, new SynchronousQueue<>(),
				(task) -> thread("dynamodb-lock-body", task));
	}

	private static Thread thread(String name, Runnable task) {
		// Without the inheritable thread locals of the first caller, such as its tenant.
		Thread thread = new Thread(null, task, name, 0, false);
		thread.setDaemon(true);
		// Such a thread would have the system's class loader, which need not be the
		// application's.
		thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
		return thread;
	}

	@Override
	public void execute(Runnable task) {
		try {
			this.threads.execute(task);
			return;
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The lock advice is closed; completing a locked call in thread '{}'",
					Thread.currentThread().getName());
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			// The JVM throws the latter if it cannot start more threads.
			logger.warn("Could not start a thread to complete a locked call; completing it in thread '{}'",
					Thread.currentThread().getName(), ex);
		}
		task.run();
	}

	/** Ends the threads when their tasks are done. */
	@Override
	public void close() {
		this.threads.shutdown();
	}

}
