/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition's places in the queues of its client, which has one queue for each key.
 * Only the acquisition that has the turn of a key sends calls for it. The methods do not
 * block.
 */
public interface Turns {

	/** For a client without other acquisitions and locks. */
	Turns ALONE = new Turns() {

		@Override
		public boolean takeIfFree(LockKey key) {
			return true;
		}

		@Override
		public boolean enter(LockKey key) {
			return true;
		}

		@Override
		public void pause(LockKey key) {
		}

		@Override
		public @Nullable LockRecord holder(LockKey key) {
			return null;
		}

	};

	/**
	 * Takes the turn of a key that this client neither holds nor is acquiring.
	 * @return whether the turn has begun; if not, nothing changes
	 */
	boolean takeIfFree(LockKey key);

	/**
	 * Enters the queue of a key.
	 * @return whether the turn has begun; if not, {@link Acquisition#turn} follows
	 */
	boolean enter(LockKey key);

	/**
	 * Gives up a turn, but stays first in the queue. Others may have the turn until it is
	 * taken again.
	 */
	void pause(LockKey key);

	/** Returns the lock as this client holds it, or {@code null}. */
	@Nullable LockRecord holder(LockKey key);

}
