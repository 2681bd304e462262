/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * A client of a lock library, as one process of an application has it.
 */
final class LockingClient implements AutoCloseable {

	private final Attempts attempts;

	private final List<AutoCloseable> resources;

	/**
	 * @param attempts acquires locks
	 * @param resources closed in this order
	 */
	LockingClient(Attempts attempts, AutoCloseable... resources) {
		this.attempts = attempts;
		this.resources = List.of(resources);
	}

	/**
	 * Acquires a lock.
	 * @param key the lock's key
	 * @param wait how long to wait for it; zero for one attempt
	 * @return releases the lock, on the same thread; empty if another owner holds it
	 * @throws InterruptedException if this thread is interrupted
	 */
	Optional<Runnable> acquire(String key, Duration wait) throws InterruptedException {
		return this.attempts.acquire(key, wait);
	}

	/**
	 * Acquires a lock that this client must get, or the measurement is worth nothing.
	 * @param key the lock's key
	 * @param wait how long to wait for it; zero for one attempt
	 * @return releases the lock, on the same thread
	 * @throws InterruptedException if this thread is interrupted
	 */
	Runnable mustAcquire(String key, Duration wait) throws InterruptedException {
		return acquire(key, wait)
			.orElseThrow(() -> new IllegalStateException("Not granted in " + wait.toMillis() + " ms"));
	}

	/** Closes everything, although a client whose calls fail can release nothing. */
	@Override
	public void close() {
		for (AutoCloseable each : this.resources) {
			try {
				each.close();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (Exception ignored) {
				// Its process has crashed, as far as the benchmark goes.
			}
		}
	}

	/**
	 * How a library acquires locks.
	 */
	interface Attempts {

		Optional<Runnable> acquire(String key, Duration wait) throws InterruptedException;

	}

	/**
	 * A lock library with the settings that it is measured with.
	 *
	 * @param name of the library, in tables
	 * @param opener creates clients
	 */
	record Library(String name, Opener opener) {

		/**
		 * Creates a client and, if it is missing, its table.
		 * @param database where the table is
		 * @param table the name of the table, which no other library uses
		 * @param lease for how long a lock is valid without a heartbeat
		 * @param interceptors what is done with each call
		 * @return the client, which the caller closes
		 */
		LockingClient open(DatabaseProcess database, String table, Duration lease,
				ExecutionInterceptor... interceptors) {
			return this.opener.open(database, table, lease, interceptors);
		}

	}

	/**
	 * Creates clients of a library.
	 */
	interface Opener {

		LockingClient open(DatabaseProcess database, String table, Duration lease,
				ExecutionInterceptor... interceptors);

	}

}
