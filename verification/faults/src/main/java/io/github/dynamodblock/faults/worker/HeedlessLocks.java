/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import org.jspecify.annotations.Nullable;

/**
 * A lock client whose holders never notice that they lose a lock.
 */
final class HeedlessLocks implements Locks {

	private final Locks locks;

	HeedlessLocks(Locks locks) {
		this.locks = locks;
	}

	@Override
	public @Nullable Held acquire(Visit visit, Losses losses) throws InterruptedException, LockingFailedException {
		Held held = this.locks.acquire(visit, losses);
		return (held != null) ? new HeedlesslyHeld(held) : null;
	}

	@Override
	public void close() {
		this.locks.close();
	}

	private record HeedlesslyHeld(Held held) implements Held {

		@Override
		public @Nullable Long token() {
			return this.held.token();
		}

		@Override
		public boolean isHeld() {
			return true;
		}

		@Override
		public String release() throws LockingFailedException {
			return this.held.release();
		}

	}

}
