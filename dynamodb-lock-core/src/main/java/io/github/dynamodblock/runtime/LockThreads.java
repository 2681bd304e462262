/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Makes a client's threads, which end when they have been idle for a while.
 */
final class LockThreads {

	private static final long IDLE_SECONDS = 2;

	private final @Nullable ThreadFactory factory;

	LockThreads(@Nullable ThreadFactory factory) {
		this.factory = factory;
	}

	/** One thread that runs tasks at their time. */
	ScheduledThreadPoolExecutor scheduler(String role) {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, threads(role));
		executor.setRemoveOnCancelPolicy(true);
		executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	/** As many threads as there are tasks. */
	ExecutorService unbounded(String role) {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
				threads(role), LockThreads::rejectedIfClosed);
	}

	/**
	 * As many threads as there are tasks, up to a bound; then tasks wait for a thread.
	 */
	ExecutorService bounded(String role, int most) {
		return new ThreadPoolExecutor(0, most, IDLE_SECONDS, TimeUnit.SECONDS, new IdleThreadsFirst(), threads(role),
				(task, executor) -> {
					if (executor.isShutdown()) {
						throw new RejectedExecutionException("The lock client is closed");
					}
					executor.getQueue().add(task);
				});
	}

	private static void rejectedIfClosed(Runnable task, ThreadPoolExecutor executor) {
		throw new RejectedExecutionException("The lock client is closed");
	}

	private ThreadFactory threads(String role) {
		if (this.factory != null) {
			return this.factory;
		}
		AtomicInteger number = new AtomicInteger();
		return (task) -> {
			Thread thread = new Thread(task, "dynamodb-lock-" + role + "-" + number.incrementAndGet());
			thread.setDaemon(true);
			return thread;
		};
	}

	/**
	 * A queue that takes a task only if an idle thread waits for one, so that the pool
	 * makes a new thread before it lets tasks wait.
	 */
	private static final class IdleThreadsFirst extends LinkedTransferQueue<Runnable> {

		private static final long serialVersionUID = 1L;

		@Override
		public boolean offer(Runnable task) {
			return tryTransfer(task);
		}

		@Override
		public boolean add(Runnable task) {
			return super.offer(task);
		}

	}

}
