/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.util.List;

/**
 * What a look at the table has shown.
 */
sealed interface News {

	/**
	 * The locks that are held.
	 *
	 * @param locks those that are shown, by name
	 * @param leftOut how many more are held than are shown, of those that were read
	 * @param complete whether the whole table was read
	 */
	record Locks(List<ListedLock> locks, int leftOut, boolean complete) implements News {

		public Locks {
			locks = List.copyOf(locks);
		}

	}

	/**
	 * The table could not be read.
	 */
	record Unavailable() implements News {

	}

}
