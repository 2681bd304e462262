/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * A request for one page of a listing.
 *
 * @param partition the partition whose locks are listed, or {@code null} for all locks
 * @param size the most items to read
 * @param consistent whether the read is strongly consistent
 * @param after the key of the item after which the page begins, as the table has it, or
 * {@code null} for the first page
 */
public record PageRequest(@Nullable String partition, int size, boolean consistent, @Nullable LockKey after) {

	/** The request for the page after the item with this key, as the table has it. */
	public PageRequest next(LockKey last) {
		return new PageRequest(this.partition, this.size, this.consistent, last);
	}

}
