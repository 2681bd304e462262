/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.util.Locale;

/**
 * Capacity units and what they cost. Tables, tags and deletions are free, and the items
 * of a run take less than a megabyte for some minutes.
 *
 * @param writeUnits write units, on demand
 * @param readUnits read units, on demand
 */
record Cost(double writeUnits, double readUnits) {

	/** The price that {@link #usd()} uses, for readers. */
	static final String PRICE = "0.625 USD for a million write units and 0.125 USD for a million read units "
			+ "(on demand, us-east-1, since 2024-11-01)";

	private static final double WRITE_UNIT = 0.625 / 1_000_000;

	private static final double READ_UNIT = 0.125 / 1_000_000;

	/** One write unit and one read unit, provisioned for an hour. */
	private static final double PROVISIONED_TABLE = 0.00065 + 0.00013;

	/** More than any Region costs, compared with us-east-1. */
	private static final int DEAREST_REGION = 2;

	/** What these units cost in us-east-1, with an hour of the provisioned table. */
	double usd() {
		return this.writeUnits * WRITE_UNIT + this.readUnits * READ_UNIT + PROVISIONED_TABLE;
	}

	/** What these units cost at most, in any Region. */
	double usdAtMost() {
		return DEAREST_REGION * usd();
	}

	/** Returns whether both units stay within those of a limit. */
	boolean isWithin(Cost limit) {
		return this.writeUnits <= limit.writeUnits && this.readUnits <= limit.readUnits;
	}

	/** Formats an amount for readers, rounded up. */
	static String text(double usd) {
		double digits = (usd < 0.01) ? 10_000 : 100;
		return String.format(Locale.ROOT, (usd < 0.01) ? "%.4f USD" : "%.2f USD", Math.ceil(usd * digits) / digits);
	}

}
