/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition's places in the queues of its client, one queue for each key. Only the
 * acquisition that has the turn of a key sends calls for it. The methods do not block.
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
	 * Takes the turn of a key that this client neither holds nor asks for.
	 * @return whether the turn has begun; if not, nothing changes
	 */
	boolean takeIfFree(LockKey key);

	/**
	 * Stands in line for a key.
	 * @return whether the turn has begun; if not, {@link Acquisition#turn} follows
	 */
	boolean enter(LockKey key);

	/**
	 * Gives a turn up to callers who come meanwhile, and stays first in line; the turn
	 * has to be taken again.
	 */
	void pause(LockKey key);

	/** Returns the lock as this client holds it, or {@code null}. */
	@Nullable LockRecord holder(LockKey key);

}
