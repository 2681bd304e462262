/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Runs code of the application when the client's own work on a thread is done. An
 * executor of the application may run a task on the calling thread, and the task may
 * cancel, acquire, release or close. By then, no internal lock is held, and no step is
 * half finished.
 */
public final class Callbacks {

	/**
	 * The callbacks that wait for the end of this thread's work; {@code null} outside
	 * such work.
	 */
	private static final ThreadLocal<@Nullable List<Runnable>> DEFERRED = new ThreadLocal<>();

	/** Nested work. Its end runs no callbacks; the end of the outer work does. */
	private static final Work PART = () -> {
	};

	private Callbacks() {
	}

	/**
	 * Begins work of the client on this thread. The end of the work runs the deferred
	 * callbacks. Nested work is part of the outer work.
	 */
	public static Work deferred() {
		if (DEFERRED.get() != null) {
			return PART;
		}
		List<Runnable> deferred = new ArrayList<>();
		Work work = () -> {
			DEFERRED.remove();
			deferred.forEach(Callbacks::runCompletely);
		};
		// Set last: if the work could not be created, nothing would remove it.
		DEFERRED.set(deferred);
		return work;
	}

	/** Runs a callback at once, or when the client's work on this thread is done. */
	public static void run(Runnable callback) {
		List<Runnable> deferred = DEFERRED.get();
		if (deferred == null) {
			runCompletely(callback);
		}
		else {
			deferred.add(callback);
		}
	}

	/**
	 * Runs a task whose failure must not stop what follows. The failure goes to the
	 * thread's handler of uncaught exceptions.
	 */
	public static void runCompletely(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			report(ex);
		}
	}

	/**
	 * Passes a failure to the thread's handler of uncaught exceptions. Exceptions of the
	 * handler are ignored, as at the end of a thread.
	 */
	public static void report(Throwable failure) {
		Thread thread = Thread.currentThread();
		try {
			thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
		}
		catch (Throwable ignored) {
			// No handler is left that could report it.
		}
	}

	/**
	 * Work of the client. It is a resource instead of a task, so this type does not
	 * appear in stack traces.
	 */
	public interface Work extends AutoCloseable {

		@Override
		void close();

	}

}
