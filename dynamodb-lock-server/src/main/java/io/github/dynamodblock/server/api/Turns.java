/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

import io.github.dynamodblock.server.lock.LockName;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

/**
 * Limits how many calls run at a time to fewer than the lock client can send. Calls for
 * the same lock run one at a time, first in, first out, because they would otherwise
 * race. A waiting call occupies no thread. Thread-safe.
 */
@Component
class Turns implements DisposableBean {

	private static final int MOST_CALLS = 1000;

	/** One lock must not take the places of all others. */
	private static final int MOST_CALLS_OF_A_LOCK = 500;

	private final Semaphore places = new Semaphore(MOST_CALLS);

	private final Map<LockName, Line> lines = new ConcurrentHashMap<>();

	private final ExecutorService threads;

	Turns(@Value("${dynamodb-lock.max-concurrent-calls:25}") int concurrentCalls) {
		// Acquisitions may not use a fifth of the client's calls, and health needs some.
		this.threads = Executors.newFixedThreadPool(Math.max(1, concurrentCalls * 3 / 5),
				new CustomizableThreadFactory("lock-call-"));
	}

	/**
	 * Makes a call after all earlier calls for the lock.
	 * @param lock the lock
	 * @param call the call
	 * @throws RejectedExecutionException if too many calls wait for this lock or in total
	 */
	void inTurn(LockName lock, Runnable call) {
		this.lines.compute(lock, (name, line) -> {
			Line before = (line != null) ? line : Line.EMPTY;
			if (before.length() >= MOST_CALLS_OF_A_LOCK) {
				throw new RejectedExecutionException(
						MOST_CALLS_OF_A_LOCK + " calls of the lock are waiting or in progress");
			}
			Runnable placed = placed(call);
			return new Line(before.last().handleAsync((done, failure) -> {
				try {
					placed.run();
				}
				finally {
					this.lines.computeIfPresent(name, (same, rest) -> rest.shorter());
				}
				return null;
			}, this.threads), before.length() + 1);
		});
	}

	/**
	 * Makes a call as soon as a thread is free.
	 * @param call the call
	 * @throws RejectedExecutionException if too many calls wait
	 */
	void atOnce(Runnable call) {
		this.threads.execute(placed(call));
	}

	/** Returns how many calls are waiting or in progress. */
	int unfinished() {
		return MOST_CALLS - this.places.availablePermits();
	}

	private Runnable placed(Runnable call) {
		if (!this.places.tryAcquire()) {
			throw new RejectedExecutionException(MOST_CALLS + " calls are waiting or in progress");
		}
		return () -> {
			try {
				call.run();
			}
			finally {
				this.places.release();
			}
		};
	}

	@Override
	public void destroy() {
		this.threads.shutdown();
	}

	/**
	 * The unfinished calls for a lock.
	 *
	 * @param last completes after the last call
	 * @param length how many calls have not ended
	 */
	private record Line(CompletableFuture<?> last, int length) {

		static final Line EMPTY = new Line(CompletableFuture.completedFuture(null), 0);

		@Nullable Line shorter() {
			return (this.length > 1) ? new Line(this.last, this.length - 1) : null;
		}

	}

}
