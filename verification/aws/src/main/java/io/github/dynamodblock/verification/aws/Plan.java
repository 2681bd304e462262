/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.util.List;

/** What a run is about to do, for the reader who must agree to it. */
final class Plan {

	private Plan() {
	}

	/**
	 * Describes a run.
	 * @param place the DynamoDB, for people
	 */
	static List<String> of(String place, RunTables tables, List<Check> checks) {
		return List.of(
				"This checks the locks on " + place + ": "
						+ String.join("; ", checks.stream().map(Check::title).toList()) + ".",
				"It creates up to 17 tables whose names begin with " + tables.prefix() + ", with the tag "
						+ RunTables.TAG + "=" + tables.run()
						+ ". One has a provisioned capacity of one unit, the others are on demand. "
						+ "It changes no other table, and deletes these at the end, also after a failure or Ctrl-C.",
				"It takes some minutes, and costs at most " + Cost.text(Meter.LIMIT.usdAtMost()) + ": it stops after "
						+ (long) Meter.LIMIT.writeUnits() + " write units and " + (long) Meter.LIMIT.readUnits()
						+ " read units, several times what it needs. The price: " + Cost.PRICE
						+ ", doubled for Regions that cost more.",
				"If it is killed (kill -9), the same command with --clean-up " + tables.run() + " deletes its tables.");
	}

}
