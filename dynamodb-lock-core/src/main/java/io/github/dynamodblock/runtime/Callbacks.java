/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Keeps code of the application out of the client's own work. An executor of the
 * application may run a task on the thread that hands it over, and that task may cancel,
 * acquire, release or close. So tasks are handed over when the client's work on this
 * thread is done, and nothing is locked or half finished any more.
 */
final class Callbacks {

	/** What this thread has to hand over when its work is done; none outside of work. */
	private static final ThreadLocal<@Nullable List<Runnable>> DEFERRED = new ThreadLocal<>();

	private Callbacks() {
	}

	/**
	 * Does work of the client, then what was deferred meanwhile. Work inside of other
	 * work is part of it.
	 * @param work the work
	 */
	static void deferredDuring(Runnable work) {
		if (DEFERRED.get() != null) {
			work.run();
			return;
		}
		List<Runnable> deferred = new ArrayList<>();
		DEFERRED.set(deferred);
		try {
			work.run();
		}
		finally {
			DEFERRED.remove();
			deferred.forEach(Runnable::run);
		}
	}

	/**
	 * Does what may run code of the application: at once, or when the client's work on
	 * this thread is done.
	 * @param callback what to do; throws nothing
	 */
	static void run(Runnable callback) {
		List<Runnable> deferred = DEFERRED.get();
		if (deferred == null) {
			callback.run();
		}
		else {
			deferred.add(callback);
		}
	}

}
