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
 * executor of the application may run a task on the calling thread, and that task may
 * cancel, acquire, release or close: by then, no lock is held and no step half finished.
 */
public final class Callbacks {

	/** The callbacks that wait for the end of this thread's work; none outside it. */
	private static final ThreadLocal<@Nullable List<Runnable>> DEFERRED = new ThreadLocal<>();

	/** Ends nothing: the work around it does. */
	private static final Work PART = () -> {
	};

	private Callbacks() {
	}

	/**
	 * Begins work of the client on this thread. Its end runs the callbacks that it
	 * deferred. Work inside of other work is part of that.
	 * @return ends the work
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
		// Last: without its work, nothing would remove it.
		DEFERRED.set(deferred);
		return work;
	}

	/**
	 * Runs a callback at once, or when the client's work on this thread is done.
	 * @param callback may run code of the application
	 */
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
	 * Runs a task whose failure must not stop what comes after it.
	 * @param task its failure goes to the thread's handler of uncaught exceptions
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
	 * Gives a failure to the thread's handler of uncaught exceptions. As at the end of a
	 * thread, what the handler throws is ignored.
	 * @param failure what nothing else reports
	 */
	public static void report(Throwable failure) {
		Thread thread = Thread.currentThread();
		try {
			thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
		}
		catch (Throwable ignored) {
			// Nobody is left to be told.
		}
	}

	/**
	 * Work of the client. A resource instead of a task, so that a stack trace goes from
	 * the client's types to the next ones without this one in between.
	 */
	public interface Work extends AutoCloseable {

		@Override
		void close();

	}

}
