/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Creates a client's threads, which end when they have been idle for a while.
 */
final class LockThreads {

	private static final long IDLE_SECONDS = 2;

	private static final int MOST_THREADS_OF_A_LISTENER = 8;

	private final @Nullable ThreadFactory factory;

	/** Of the application that built the client. */
	private final @Nullable ClassLoader contextClassLoader = Thread.currentThread().getContextClassLoader();

	LockThreads(@Nullable ThreadFactory factory) {
		this.factory = factory;
	}

	/** One thread, which ends when nothing is scheduled; no task once it is shut down. */
	ScheduledThreadPoolExecutor timer(String role) {
		ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads(role),
				new ThreadPoolExecutor.DiscardPolicy());
		timer.setRemoveOnCancelPolicy(true);
		return ending(timer);
	}

	/** One thread for each task. */
	ExecutorService unbounded(String role) {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
				threads(role), LockThreads::rejectedIfClosed);
	}

	/**
	 * Some threads for the notifications of a listener; the caller's once the client is
	 * closed, so that a release on another thread is still reported.
	 */
	ExecutorService listener() {
		return ending(new ThreadPoolExecutor(MOST_THREADS_OF_A_LISTENER, MOST_THREADS_OF_A_LISTENER, IDLE_SECONDS,
				TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads("listener"), (task, executor) -> task.run()));
	}

	private static <T extends ThreadPoolExecutor> T ending(T executor) {
		executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	private static void rejectedIfClosed(Runnable task, ThreadPoolExecutor executor) {
		throw new RejectedExecutionException("The lock client is closed");
	}

	// The priority is reset, not raised: a thread inherits its first caller's.
	@SuppressWarnings("ThreadPriorityCheck")
	private ThreadFactory threads(String role) {
		if (this.factory != null) {
			return this::given;
		}
		AtomicInteger number = new AtomicInteger();
		return (task) -> {
			// A thread serves all callers: it must inherit nothing from the first one.
			Thread thread = new Thread(null, task, "dynamodb-lock-" + role + "-" + number.incrementAndGet(), 0, false);
			thread.setContextClassLoader(this.contextClassLoader);
			thread.setPriority(Thread.NORM_PRIORITY);
			thread.setDaemon(true);
			return thread;
		};
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
