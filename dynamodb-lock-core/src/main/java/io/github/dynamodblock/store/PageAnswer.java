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
 * The answer to a request for one page of a listing.
 */
public sealed interface PageAnswer {

	/**
	 * The page. An empty page is not always the last one.
	 *
	 * @param locks the locks
	 * @param notLocks the errors of items that are not locks
	 * @param last the key of the last item that was read, as the table has it, or
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
	 * The page could not be read.
	 *
	 * @param failure the exception for the caller
	 */
	record Failed(LockException failure) implements PageAnswer {
	}

}
