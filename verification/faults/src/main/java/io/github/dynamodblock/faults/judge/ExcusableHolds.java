/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.judge;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * How many holds an overlap would have been excused of, so that a reader sees how much of
 * a run was judged strictly.
 *
 * @param all how many holds there were
 * @param itemDeleted of how many the item was deleted by the nemesis between asking and
 * the last look
 * @param wildClock how many others had a wild clock, or the owner right before or after
 * them had
 */
public record ExcusableHolds(int all, int itemDeleted, int wildClock) {

	/**
	 * Counts them.
	 * @param history what happened
	 * @return the figures
	 */
	public static ExcusableHolds of(History history) {
		synchronized (history) {
			Excuses excuses = new Excuses(history);
			List<Excuse> found = history.holds()
				.stream()
				.flatMap((hold) -> Stream.ofNullable(excuses.ofAnyOverlap(hold)))
				.toList();
			return new ExcusableHolds(history.holds().size(), count(found, Excuse.ITEM_DELETED),
					count(found, Excuse.CLOCK_RATE));
		}
	}

	private static int count(List<Excuse> all, Excuse which) {
		return Collections.frequency(all, which);
	}

	/** The holds that none of these excuses. */
	public int strict() {
		return this.all - this.itemDeleted - this.wildClock;
	}

}
