/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

/**
 * Grants everything at once to everybody, always with the same token.
 */
final class NoLocks implements Locks {

	@Override
	public Held acquire(Attempt attempt, Losses losses) {
		return new NothingHeld();
	}

	@Override
	public void close() {
		// There is nothing to end.
	}

	private record NothingHeld() implements Held {

		@Override
		public Long token() {
			return 1L;
		}

		@Override
		public boolean isHeld() {
			return true;
		}

		@Override
		public String release() {
			return "RELEASED";
		}

	}

}
