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

/**
 * How a caller's thread waits for what other threads do for it.
 */
final class Waiting {

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
	 * Waits for a while.
	 * @return whether the result came in time
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

	/** Waits whatever happens, and keeps the interrupt flag for the caller. */
	static <T> T uninterruptibly(CompletableFuture<T> result) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return result.get();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
				catch (ExecutionException ex) {
					throw unwrapped(ex);
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
	 * Waits for a while, whatever happens, and keeps the interrupt flag for the caller.
	 * @return whether the result came in time, good or bad
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
	 * Does something that an interrupt from before would spoil, and keeps the interrupt
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
		if (ex.getCause() instanceof LockException failure) {
			// Several threads may wait for one result, and each wants to see its own
			// stack.
			return Refusals.again(failure);
		}
		return new IllegalStateException("A lock operation failed unexpectedly: please report this", ex.getCause());
	}

}
