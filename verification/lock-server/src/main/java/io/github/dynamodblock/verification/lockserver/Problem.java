/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

/**
 * What must not happen.
 */
enum Problem {

	/** The times in which two clients held one lock for certain overlap. */
	TWO_HOLDERS("two clients held one lock"),

	/** A client was told within its acknowledged lease that the lock is not its own. */
	LOST("acknowledged and lost"),

	/** A response has an earlier expiry than a previous one for the same hold. */
	ENDED_EARLY("leases that ended early"),

	/** A late copy of a release succeeded while a client held the lock for certain. */
	FREED("next holds that were freed"),

	/** Who came later has no greater token than who came before. */
	FENCING_TOKEN("fencing tokens that do not increase"),

	/** A grant has not the duration asked for, or a renewal did not add its own once. */
	SUM("leases with wrong sums"),

	/** The lock is neither shown as free nor given to others when its time is over. */
	NOT_FREE("not free after the end"),

	/** A client had no answer for long, or one that the service should not give. */
	ANSWER("requests without a proper answer"),

	/** Something that clients do did not happen once. */
	NOTHING("something that the run needs did not happen");

	private final String text;

	Problem(String text) {
		this.text = text;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
