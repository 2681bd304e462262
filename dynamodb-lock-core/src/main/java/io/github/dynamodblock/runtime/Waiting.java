/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.protocol.Nanos;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Lets a caller's thread wait for the client's threads.
 */
final class Waiting {

	private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

	private Waiting() {
	}

	static <T> T interruptibly(CompletableFuture<T> result) throws InterruptedException {
		try {
			return result.get();
		}
		catch (ExecutionException ex) {
			throw unwrapped(ex);
		}
	}

	/**
	 * Waits for a time.
	 * @return whether the future was completed in time
	 */
	static boolean interruptibly(CompletableFuture<?> result, long nanos) throws InterruptedException {
		try {
			result.get(nanos, TimeUnit.NANOSECONDS);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			return true;
		}
	}

	/** Waits despite interrupts, and keeps the interrupt flag for the caller. */
	static <T> T uninterruptibly(CompletableFuture<T> result) {
		uninterruptibly(result, FOREVER);
		try {
			return interruptibly(result);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("A completed future was waited for", ex);
		}
	}

	/**
	 * Waits for a time despite interrupts, and keeps the interrupt flag for the caller.
	 * @return whether the future was completed in time, with a value or an exception
	 */
	static boolean uninterruptibly(CompletableFuture<?> result, Duration atMost) {
		long begin = System.nanoTime();
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return interruptibly(result, Nanos.of(atMost) - (System.nanoTime() - begin));
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Runs an action that an earlier interrupt would disturb, and keeps the interrupt
	 * flag for the caller.
	 */
	static <T> T undisturbed(Supplier<T> action) {
		boolean interrupted = Thread.interrupted();
		try {
			return action.get();
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static RuntimeException unwrapped(ExecutionException ex) {
		if (ex.getCause() instanceof SdkException cancellation) {
			// Of a transaction, which has one caller.
			return cancellation;
		}
		if (ex.getCause() instanceof LockException failure) {
			// Several threads may wait for one result: each gets its own stack trace.
			return Refusals.again(failure);
		}
		return new IllegalStateException("A lock operation failed unexpectedly: please report this", ex.getCause());
	}

}
