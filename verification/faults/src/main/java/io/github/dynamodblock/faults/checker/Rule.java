/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

/**
 * What must not happen.
 */
public enum Rule {

	/** Two processes or threads held one lock at the same time. */
	TWO_HOLDERS("two holders of one lock at the same time"),

	/** A client overwrote a value that it had not read. */
	PLAIN_UPDATE("updates lost without fencing"),

	/** The same, although the resource refuses stale tokens. */
	FENCED_UPDATE("updates lost despite fencing"),

	/** The resource took a write whose token is not the newest. */
	STALE_TOKEN_ACCEPTED("stale tokens accepted"),

	/** An owner's update of the guarded counter was committed after a newer owner's. */
	STALE_COMMIT("stale commits to the guarded counter"),

	/**
	 * An update of the guarded counter was overwritten by one that had not read it, or
	 * was acknowledged and is not there.
	 */
	GUARDED_UPDATE_LOST("updates of the guarded counter lost"),

	/** An update of the guarded counter was committed more than once. */
	GUARDED_UPDATE_DOUBLED("updates of the guarded counter doubled"),

	/** An update of the guarded counter was committed and reported as refused. */
	REFUSED_UPDATE_COMMITTED("updates of the guarded counter refused, but committed"),

	/** A later owner has a smaller token. */
	TOKEN_ORDER("tokens not greater than the previous one"),

	/** Two grants have the same token. */
	TOKEN_REPEATED("tokens given twice"),

	/** A loss was reported twice, or not at all, or after the release. */
	LOSS_TOLD_ONCE("losses not reported exactly once"),

	/**
	 * A loss to another owner, or of the item, was reported before the lease had ended.
	 */
	LOSS_WITHOUT_CAUSE("locks lost before their leases had ended"),

	/** A lock or a node made no progress although the faults had ended. */
	PROGRESS("no progress after the faults"),

	/** A lock could not be acquired although no client was left. */
	FREE_IN_THE_END("locks not free at the end"),

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
