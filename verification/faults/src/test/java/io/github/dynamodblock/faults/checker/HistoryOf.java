/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A history in a test's words. Times are seconds.
 */
final class HistoryOf {

	static final Owner ONE = new Owner(0, 1);

	static final Owner OTHER = new Owner(1, 1);

	static final Owner THIRD = new Owner(2, 1);

	static final int LOCK = 7;

	private static final long SECOND = 1_000_000_000L;

	private final History history = new History();

	static long seconds(double seconds) {
		return (long) (seconds * SECOND);
	}

	/** Granted at a time, having been asked for a second before, with a lease of 2 s. */
	HistoryOf grant(String id, Owner owner, @Nullable Long token, double granted) {
		return grant(id, owner, token, granted, false);
	}

	HistoryOf grant(String id, Owner owner, @Nullable Long token, double granted, boolean deletesItem) {
		this.history.granted(
				new Grant(id, owner, LOCK, token, seconds(granted - 1), seconds(granted), 2 * SECOND, deletesItem));
		return this;
	}

	/** The holder looked, and was told that it holds the lock. */
	HistoryOf look(String id, double from, double to) {
		this.history.seenHeld(id, seconds(from), seconds(to));
		return this;
	}

	HistoryOf look(String id, double at) {
		return look(id, at, at + 0.001);
	}

	HistoryOf released(String id, double at) {
		this.history.releasing(id);
		this.history.ended(id, new Hold.Ending(seconds(at), seconds(at) + 1, Hold.Ending.RELEASED));
		return this;
	}

	HistoryOf lost(String id, String reason, double told, double deadline) {
		this.history.lost(new Loss(id, reason, seconds(told), seconds(deadline)));
		return this;
	}

	HistoryOf plainUpdate(String id, double readAt, double appliedAt, long read, long before) {
		this.history.plainUpdate(LOCK, new Update(id, seconds(readAt), seconds(appliedAt), read, before, true));
		return this;
	}

	HistoryOf deleted(double from, double to) {
		this.history.deleted(LOCK, new Interval(seconds(from), seconds(to)));
		return this;
	}

	History history() {
		return this.history;
	}

	List<Finding> findings() {
		return Checker.check(this.history);
	}

}
