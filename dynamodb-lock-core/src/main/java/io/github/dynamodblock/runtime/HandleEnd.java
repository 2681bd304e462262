/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import io.github.dynamodblock.ItemChange;

/**
 * That the holder has given its handle back, and how. The client may keep the lock a
 * while longer.
 *
 * @param deleteItem whether the release deletes the lock's item
 * @param change what the release changes in the item
 * @param detached whether the lock is left to whoever presents its token
 */
record HandleEnd(boolean deleteItem, ItemChange change, boolean detached) {

	/** The handle ended, and the lock is not released with it. */
	static final HandleEnd DETACHED = new HandleEnd(false, ItemChange.none(), true);

	static HandleEnd released(boolean deleteItem, ItemChange change) {
		return new HandleEnd(deleteItem, change, false);
	}

}
