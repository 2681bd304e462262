/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import org.jspecify.annotations.Nullable;

/**
 * Lets other clients have their turn. A client that takes a lock again as soon as it has
 * released it would never be overtaken by clients that poll. After a streak of grants it
 * therefore backs off for as long as they pause between two polls. The first streak has
 * eight grants. While no other client takes the lock, each streak is twice as long as the
 * one before, up to two seconds, so that a lone client seldom pauses. Shared by the
 * client's operations; thread-safe.
 */
public final class FairnessBackoff {

	private static final int FIRST_STREAK = 8;

	/** A streak of more than the first number of grants ends after this time. */
	private static final long LONGEST_STREAK = 2_000_000_000L;

	/** Other clients poll, and claim. */
	private static final long TIME_TO_CLAIM = 6_000_000L;

	private final Map<LockKey, Streak> streaks;

	/** A memory of the grants of so many locks at most. */
	public FairnessBackoff(int capacity) {
		this.streaks = new LinkedHashMap<>(16, 0.75f, true) {
			private static final long serialVersionUID = 1L;

			@Override
			protected boolean removeEldestEntry(Map.Entry<LockKey, Streak> eldest) {
				return size() > capacity;
			}
		};
	}

	/**
	 * Notes a grant to this client.
	 * @param fencingToken the token of the grant: it shows whether others had the lock
	 * @param deleted whether the item goes with each release, so that tokens show nothing
	 */
	public synchronized void granted(LockKey key, long fencingToken, boolean deleted, ClockReading now) {
		Streak before = this.streaks.get(key);
		if (before == null || !before.isFollowedBy(fencingToken, deleted, now)) {
			this.streaks.put(key, Streak.first(fencingToken, FIRST_STREAK, now.observerNanos()));
		}
		else {
			this.streaks.put(key, before.followedBy(fencingToken, now.observerNanos()));
		}
	}

	/** Notes that this client released a lock. */
	public synchronized void released(LockKey key, ClockReading now) {
		this.streaks.computeIfPresent(key, (same, streak) -> streak.released(now.observerNanos()));
	}

	/**
	 * How long this client backs off before it claims a lock.
	 * @param longest how long its caller can spare, in nanoseconds
	 * @return nanoseconds; zero if it need not, or would take longer than that
	 */
	public synchronized long backOffNanos(LockKey key, ClockReading now, long longest) {
		Streak streak = this.streaks.get(key);
		if (streak == null || streak.turnEnds() == null) {
			return 0;
		}
		long turnOfOthers = streak.turnEnds() - now.observerNanos();
		if (turnOfOthers <= 0) {
			this.streaks.put(key, streak.rested(false));
			return 0;
		}
		if (!streak.isOver() || turnOfOthers > longest) {
			return 0;
		}
		this.streaks.put(key, streak.rested(true));
		return turnOfOthers;
	}

	/**
	 * Grants in a row.
	 *
	 * @param fencingToken the token of the last one
	 * @param length how many there were
	 * @param longest how many there may be before backing off
	 * @param beganAt when the first one came
	 * @param grantedAt when the last one came
	 * @param turnEnds until when it is others' turn, since the lock was released; or
	 * {@code null}
	 * @param backedOff whether this client backed off since
	 */
	private record Streak(long fencingToken, int length, int longest, long beganAt, long grantedAt,
			@Nullable Long turnEnds, boolean backedOff) {

		static Streak first(long token, int longest, long now) {
			return new Streak(token, 1, longest, now, now, null, false);
		}

		/** Before others' turn was over, they can hardly have had the lock. */
		boolean isFollowedBy(long token, boolean deleted, ClockReading now) {
			boolean atOnce = this.turnEnds != null && now.observerNanos() < this.turnEnds;
			return token == this.fencingToken + 1 || (deleted && atOnce);
		}

		Streak followedBy(long token, long now) {
			if (this.length > 0) {
				return new Streak(token, this.length + 1, this.longest, this.beganAt, now, null, false);
			}
			return first(token, (this.backedOff && !isLong()) ? this.longest * 2 : this.longest, now);
		}

		/** Grants that take long need no longer streak: a pause adds little to them. */
		boolean isOver() {
			return this.length >= this.longest || (this.length >= FIRST_STREAK && isLong());
		}

		private boolean isLong() {
			return this.grantedAt - this.beganAt >= LONGEST_STREAK;
		}

		/** The longer a lock is held, the longer others pause between two polls. */
		Streak released(long now) {
			long turn = Observation.longestPollInterval(now - this.grantedAt) + TIME_TO_CLAIM;
			return new Streak(this.fencingToken, this.length, this.longest, this.beganAt, this.grantedAt,
					Nanos.later(now, turn), false);
		}

		Streak rested(boolean backedOff) {
			return new Streak(this.fencingToken, 0, this.longest, this.beganAt, this.grantedAt, this.turnEnds,
					backedOff);
		}

	}

}
