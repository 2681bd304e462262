/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/** Creates a client's threads, which end when they have been idle for a while. */
final class LockThreads {

	private static final long IDLE_SECONDS = 2;

	/** The factory that created this thread, if it is a thread of a client. */
	private static final ThreadLocal<@Nullable ThreadFactory> MAKER = new ThreadLocal<>();

	private final @Nullable ThreadFactory factory;

	/** The class loader of the application that built the client. */
	private final @Nullable ClassLoader contextClassLoader = Thread.currentThread().getContextClassLoader();

	LockThreads(@Nullable ThreadFactory factory) {
		this.factory = factory;
	}

	/** Creates a timer with one thread. It runs no task once it is shut down. */
	ScheduledThreadPoolExecutor timer(String role) {
		ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads(role),
				new ThreadPoolExecutor.DiscardPolicy());
		timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		timer.allowCoreThreadTimeOut(true);
		return timer;
	}

	/** Creates an executor with one thread for each task. */
	ThreadPoolExecutor unbounded(String role) {
		return unbounded(role, LockThreads::rejectedIfClosed);
	}

	/**
	 * The same for listeners. Once the client is closed, tasks run on the calling thread,
	 * so a release on another thread is still reported.
	 */
	ThreadPoolExecutor listeners() {
		return unbounded("listener", (task, executor) -> task.run());
	}

	private ThreadPoolExecutor unbounded(String role, RejectedExecutionHandler rejected) {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
				threads(role), rejected);
	}

	/** Whether this thread belongs to an executor. */
	static boolean runsThisThread(ThreadPoolExecutor executor) {
		return executor.getThreadFactory() == MAKER.get();
	}

	private static void rejectedIfClosed(Runnable task, ThreadPoolExecutor executor) {
		throw new RejectedExecutionException("The lock client is closed");
	}

	private ThreadFactory threads(String role) {
		AtomicInteger number = new AtomicInteger();
		return new ThreadFactory() {

			@Override
			public Thread newThread(Runnable task) {
				Runnable marked = () -> {
					MAKER.set(this);
					task.run();
				};
				return (LockThreads.this.factory != null) ? given(marked)
						: named(marked, this + "-" + number.incrementAndGet());
			}

			@Override
			public String toString() {
				return "dynamodb-lock-" + role;
			}

		};
	}

	// The priority is reset, not raised: a thread inherits that of its first caller.
	@SuppressWarnings("ThreadPriorityCheck")
	private Thread named(Runnable task, String name) {
		// A thread serves all callers and must inherit nothing from the first one.
		Thread thread = new Thread(null, task, name, 0, false);
		thread.setContextClassLoader(this.contextClassLoader);
		thread.setPriority(Thread.NORM_PRIORITY);
		thread.setDaemon(true);
		return thread;
	}

	private Thread given(Runnable task) {
		Thread thread = Objects.requireNonNull(this.factory).newThread(task);
		if (thread == null) {
			throw new IllegalStateException("The threadFactory of the lock client returned null instead of a thread: "
					+ this.factory + "; it must return a thread for every task");
		}
		return thread;
	}

}
