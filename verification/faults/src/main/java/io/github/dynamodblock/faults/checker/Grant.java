/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.io.Serializable;

import org.jspecify.annotations.Nullable;

/**
 * A lock that a worker was granted.
 *
 * @param id what this grant is known by in the run
 * @param owner the process
 * @param lock the lock
 * @param token the fencing token, or {@code null} if the lock client gives none
 * @param began when the lock was asked for
 * @param granted when the lock client handed it over
 * @param lease nanoseconds
 * @param deletesItem whether the release is to delete the lock's item
 */
public record Grant(String id, Owner owner, int lock, @Nullable Long token, long began, long granted, long lease,
		boolean deletesItem) implements Serializable {

	@Override
	public String toString() {
		return this.id + " (lock " + this.lock + ((this.token != null) ? ", token " + this.token : "") + ")";
	}

}
