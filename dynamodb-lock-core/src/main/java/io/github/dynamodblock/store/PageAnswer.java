/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.List;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import org.jspecify.annotations.Nullable;

/**
 * What came of asking for a page of a listing.
 */
public sealed interface PageAnswer {

	/**
	 * The page. It can be empty and yet not be the last one.
	 *
	 * @param locks the locks
	 * @param notLocks what is wrong with each item that is not a lock
	 * @param last the last item that was looked at, by its key as the table has it, or
	 * {@code null} if no page follows
	 */
	record Page(List<LockRecord> locks, List<LockTableException> notLocks,
			@Nullable LockKey last) implements PageAnswer {

		/**
		 * Copies the lists.
		 */
		public Page {
			locks = List.copyOf(locks);
			notLocks = List.copyOf(notLocks);
		}

	}

	/**
	 * There is no page. A read has no effect, so that it does not matter how far it came.
	 *
	 * @param failure what to tell the caller
	 */
	record Failed(LockException failure) implements PageAnswer {
	}

}
