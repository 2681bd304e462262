/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

/**
 * Calls that go on when their thread is interrupted.
 */
final class Uninterruptible {

	private Uninterruptible() {
	}

	/**
	 * Makes a call again as long as an interrupt ends it. The interrupt flag is kept.
	 * @param call the call, which may be repeated
	 * @return what it gives
	 * @throws E if the call fails
	 */
	static <T, E extends Exception> T call(Call<T, E> call) throws E {
		boolean interrupted = Thread.interrupted();
		try {
			while (true) {
				try {
					return call.call();
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
	 * A call that an interrupt may end.
	 */
	@FunctionalInterface
	interface Call<T, E extends Exception> {

		T call() throws E, InterruptedException;

	}

}
