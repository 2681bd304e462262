/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.judge;

/**
 * What must not happen.
 */
public enum Rule {

	/** Two processes or threads held one lock at the same moment. */
	TWO_HOLDERS("two holders of one lock at one moment"),

	/** Somebody overwrote a value that it had not read. */
	PLAIN_UPDATE("updates lost without fencing"),

	/** The same, although the resource refuses stale tokens. */
	FENCED_UPDATE("updates lost in spite of fencing"),

	/** The resource took a write whose token is not the newest. */
	STALE_TOKEN_ACCEPTED("stale tokens accepted"),

	/** A later owner has a smaller token. */
	TOKEN_ORDER("tokens not greater than the one before"),

	/** Two grants have the same token. */
	TOKEN_REPEATED("tokens given twice"),

	/** A holder was told twice of a loss, or not at all, or after the release. */
	LOSS_TOLD_ONCE("losses not told exactly once"),

	/**
	 * A holder was told, before its lease had ended, that the lock is another's or gone.
	 */
	LOSS_WITHOUT_CAUSE("locks lost before their leases had ended"),

	/** A lock or a node got nowhere although the faults had ended. */
	PROGRESS("no progress after the faults"),

	/** A lock could not be had although nobody was there any more. */
	FREE_IN_THE_END("locks not free in the end"),

	/** A worker failed in a way that no fault explains. */
	WORKER("workers that failed unexpectedly");

	private final String title;

	Rule(String title) {
		this.title = title;
	}

	public String title() {
		return this.title;
	}

}
