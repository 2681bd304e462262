/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

/**
 * A write to the resource that was applied.
 *
 * @param grant under which grant
 * @param readAt when the value was read from which the new one was made
 * @param appliedAt when it was written
 * @param read the value that was read
 * @param before the value that was overwritten
 * @param looked whether the writer looked right before whether it held the lock
 */
record Update(String grant, long readAt, long appliedAt, long read, long before, boolean looked) {

	boolean isLost() {
		return this.read != this.before;
	}

}
