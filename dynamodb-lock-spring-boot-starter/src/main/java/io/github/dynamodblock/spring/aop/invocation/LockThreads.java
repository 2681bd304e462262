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
 * Daemon threads of the advice's own, each of which ends after some idle seconds. Takes
 * every task: what no thread can be had for runs in the thread that brings it, so that no
 * lock and no result is forgotten.
 */
final class LockThreads implements Executor, AutoCloseable {

	/** What the DynamoDB client has connections for by default is not much more. */
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
	 * For tasks that wait for DynamoDB at most, never for other tasks. What is too much
	 * at once stands in line.
	 */
	static LockThreads forReleases() {
		return forReleases((task) -> thread("dynamodb-lock-release", task));
	}

	static LockThreads forReleases(ThreadFactory factory) {
		return new LockThreads(MOST_RELEASES, MOST_RELEASES, new LinkedBlockingQueue<>(), factory);
	}

	/**
	 * For bodies and the dependents of callers' futures. One may wait for another, such
	 * as a nested call's, and would wait indefinitely in a queue: there are as many
	 * threads as run code at once.
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
			logger.debug("The advice is closed; the end of a locked call is done in thread '{}'",
					Thread.currentThread().getName());
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			// The latter is how a JVM says that it can start no more threads.
			logger.warn("No thread could be started for the end of a locked call; it is done in thread '{}'",
					Thread.currentThread().getName(), ex);
		}
		task.run();
	}

	/** Ends the threads when they have done what they were given. */
	@Override
	public void close() {
		this.threads.shutdown();
	}

}
