/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.concurrent.Executor;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * Restores a caller's context, such as its trace, around calls to DynamoDB that other
 * threads make for that caller. Does nothing unless Micrometer's context propagation is
 * on the class path. Not meant to be used by applications.
 */
public final class CallersContext {

	private static final Logger logger = LoggerFactory.getLogger(CallersContext.class);

	private static final boolean PRESENT = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			CallersContext.class.getClassLoader());

	private CallersContext() {
	}

	/**
	 * Captures the context of this thread, and further contexts, which take precedence
	 * over it.
	 * @param threads the executor that runs the tasks
	 * @param contexts further contexts, such as a subscriber's Reactor context
	 * @return an executor that runs tasks on the same threads, in the captured context
	 */
	public static Executor on(Executor threads, Object... contexts) {
		if (!PRESENT) {
			return threads;
		}
		ContextSnapshot snapshot = ContextSnapshotFactory.builder().build().captureAll(contexts);
		return (task) -> threads.execute(() -> run(task, snapshot));
	}

	/**
	 * If an accessor of the application throws, only the trace is lost, not the lock.
	 */
	private static void run(Runnable task, ContextSnapshot snapshot) {
		ContextSnapshot.Scope scope;
		try {
			scope = snapshot.setThreadLocals();
		}
		catch (RuntimeException | LinkageError ex) {
			logger.warn("Could not restore the caller's context for a call to DynamoDB", ex);
			task.run();
			return;
		}
		try (scope) {
			task.run();
		}
	}

}
