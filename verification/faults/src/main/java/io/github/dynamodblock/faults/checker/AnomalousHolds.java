/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * How many holds have an allowed anomaly, so that a reader sees how much of a run was
 * checked strictly.
 *
 * @param all how many holds there were
 * @param itemDeleted of how many the item was deleted by the nemesis between asking and
 * the last look
 * @param wildClock how many others had a wild clock, or the owner right before or after
 * them had
 */
public record AnomalousHolds(int all, int itemDeleted, int wildClock) {

	/**
	 * Counts them.
	 * @param history what happened
	 * @return the figures
	 */
	public static AnomalousHolds of(History history) {
		synchronized (history) {
			AllowedAnomalies anomalies = new AllowedAnomalies(history);
			List<AllowedAnomaly> found = history.holds()
				.stream()
				.flatMap((hold) -> Stream.ofNullable(anomalies.ofAnyOverlap(hold)))
				.toList();
			return new AnomalousHolds(history.holds().size(), count(found, AllowedAnomaly.ITEM_DELETED),
					count(found, AllowedAnomaly.CLOCK_RATE));
		}
	}

	private static int count(List<AllowedAnomaly> all, AllowedAnomaly which) {
		return Collections.frequency(all, which);
	}

	/** The holds without an allowed anomaly. */
	public int strict() {
		return this.all - this.itemDeleted - this.wildClock;
	}

}
