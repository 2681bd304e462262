/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.network;

import java.time.Duration;

/**
 * How a link treats calls.
 *
 * @param passage whether anything comes through at all
 * @param delay how much longer requests and answers take, each
 * @param fault what becomes of some calls
 * @param share of how many, from 0 to 1
 */
public record LinkState(Passage passage, Duration delay, CallFault fault, double share) {

	/** Everything comes through at once. */
	public static final LinkState FINE = new LinkState(Passage.OPEN, Duration.ZERO, CallFault.NONE, 0);

	/** Connections are reset, new ones too. */
	public static final LinkState CUT = new LinkState(Passage.CUT, Duration.ZERO, CallFault.NONE, 0);

	/**
	 * Nothing comes through, and nobody is told. Requests arrive when that is over,
	 * though their senders may have given them up.
	 */
	public static final LinkState BLACK_HOLE = new LinkState(Passage.BLACK_HOLE, Duration.ZERO, CallFault.NONE, 0);

	/** How late a late request is at most. */
	static final Duration MOST_LATE = Duration.ofSeconds(4);

	/** Everything takes that much longer, in both directions. */
	public static LinkState slow(Duration delay) {
		return new LinkState(Passage.OPEN, delay, CallFault.NONE, 0);
	}

	/** Some calls have a fault. */
	public static LinkState faulty(CallFault fault, double share) {
		return new LinkState(Passage.OPEN, Duration.ZERO, fault, share);
	}

	boolean isCut() {
		return this.passage == Passage.CUT;
	}

	boolean isBlackHole() {
		return this.passage == Passage.BLACK_HOLE;
	}

	enum Passage {

		OPEN, CUT, BLACK_HOLE

	}

}
