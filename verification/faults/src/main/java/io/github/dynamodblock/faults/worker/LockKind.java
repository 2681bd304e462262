/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

/**
 * What workers lock with.
 */
public enum LockKind {

	/** The lock client of this project. */
	OURS,

	/** The AWS lock client for Java. */
	AWS,

	/**
	 * Nothing at all: everybody believes to hold every lock, with one and the same token.
	 */
	NONE,

	/**
	 * The lock client of this project, by holders who do not notice that they lose a
	 * lock.
	 */
	UNAWARE;

	/** Whether it is to keep what is promised, or only there to be caught. */
	public boolean isBroken() {
		return this == NONE || this == UNAWARE;
	}

	/** Whether its writes are checked as if they had a condition on the lock. */
	boolean isGuarded() {
		return this != AWS;
	}

}
