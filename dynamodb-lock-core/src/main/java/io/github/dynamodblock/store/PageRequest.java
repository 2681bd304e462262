/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * One page of a listing.
 *
 * @param partition the partition whose locks are listed, or {@code null} for all locks
 * @param size how many items to look at, at most
 * @param consistent whether the page must show every write before it
 * @param after the item to go on behind, by its key as the table has it, or {@code null}
 * to begin
 */
public record PageRequest(@Nullable String partition, int size, boolean consistent, @Nullable LockKey after) {

	/**
	 * The page that follows.
	 * @param last the last item that this page looked at, as {@link #after()} has it
	 * @return the request for it
	 */
	public PageRequest next(LockKey last) {
		return new PageRequest(this.partition, this.size, this.consistent, last);
	}

}
