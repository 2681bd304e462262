/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.judge;

/**
 * Why something that must not happen may have happened: it lies outside of what a lock is
 * promised under.
 */
public enum Excuse {

	/**
	 * Somebody deleted the lock's item between the time at which one of the two asked for
	 * the lock and the time at which it was last known to hold it. Of tokens: the item
	 * was deleted in between, by a release perhaps.
	 */
	ITEM_DELETED("the lock's item was deleted"),

	/** The clock of one of the two ran at a rate beyond the tolerance. */
	CLOCK_RATE("a clock's rate was beyond the tolerance"),

	/**
	 * The writer did not hold the lock any more when its write had been answered: it
	 * acted on an answer that was not true any more.
	 */
	STALE_ANSWER("the writer acted on a stale answer");

	private final String title;

	Excuse(String title) {
		this.title = title;
	}

	public String title() {
		return this.title;
	}

}
