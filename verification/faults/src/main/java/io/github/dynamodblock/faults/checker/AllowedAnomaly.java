/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

/**
 * Why something that must not happen may have happened: it lies outside what a lock is
 * promised under.
 */
public enum AllowedAnomaly {

	/**
	 * Somebody deleted the lock's item between the time at which one of the two asked for
	 * the lock and the time at which it was last known to hold it. Of tokens: the item
	 * was deleted in between, by a release perhaps.
	 */
	ITEM_DELETED("the lock's item was deleted"),

	/** The clock of one of the two ran at a rate beyond the tolerance. */
	CLOCK_RATE("a clock was wrong by more than the tolerance"),

	/**
	 * The writer did not hold the lock any more when its write had been answered: it
	 * acted on an answer that was not true any more.
	 */
	OUTDATED_CHECK("the writer acted on an outdated check"),

	/** The write had no condition on the lock: the lock client offers none. */
	UNGUARDED("the write was not guarded");

	private final String title;

	AllowedAnomaly(String title) {
		this.title = title;
	}

	public String title() {
		return this.title;
	}

}
