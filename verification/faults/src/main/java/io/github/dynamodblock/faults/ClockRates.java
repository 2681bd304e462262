/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.util.Random;

import io.github.dynamodblock.faults.checker.Owner;

/**
 * How fast the clocks of processes run.
 */
final class ClockRates {

	private static final double TOLERANCE = 0.01;

	/** The extremes that are allowed are the hardest, and the likeliest. */
	private static final double[] ALLOWED = { 1, 1 - TOLERANCE, 1 + TOLERANCE, 1, 1 + TOLERANCE / 2 };

	private static final double[] WILD = { 1.3, 0.75, 1.2 };

	private static final double WILD_SHARE = 0.12;

	/** One node has a wild clock from the start, so that every run has one. */
	private static final int WILD_NODE = 4;

	private ClockRates() {
	}

	static double next(Owner owner, Random random) {
		boolean first = owner.incarnation() == 1;
		boolean wild = first ? owner.node() == WILD_NODE : random.nextDouble() < WILD_SHARE;
		double[] rates = wild ? WILD : ALLOWED;
		return rates[first ? owner.node() % rates.length : random.nextInt(rates.length)];
	}

	/** Rounding does not make a rate wild. */
	static boolean isWild(double rate) {
		return Math.abs(rate - 1) > TOLERANCE * 1.001;
	}

}
