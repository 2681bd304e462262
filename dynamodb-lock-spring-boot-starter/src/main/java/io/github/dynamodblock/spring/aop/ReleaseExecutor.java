/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Daemon threads that give back the locks of work which ends in threads of others. As
 * many as there are releases at once; each ends after some idle seconds.
 */
final class ReleaseExecutor implements Executor, AutoCloseable {

	private static final long IDLE_SECONDS = 5;

	private final ThreadPoolExecutor threads;

	ReleaseExecutor() {
		this.threads = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), ReleaseExecutor::thread,
				// Closed, it lets whoever brings the task do it: no lock, no result is
				// forgotten.
				(task, closed) -> task.run());
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "dynamodb-lock-release");
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public void execute(Runnable task) {
		this.threads.execute(task);
	}

	/** Ends the threads when they have done what they were given. */
	@Override
	public void close() {
		this.threads.shutdown();
	}

}
