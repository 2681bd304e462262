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
 * Lets other clients have their turn. A client that takes a lock again and again the
 * moment it released it would never be overtaken by clients that poll. After a streak of
 * grants it therefore backs off for as long as they pause between two polls. Shared by
 * the client's operations; thread-safe.
 */
public final class FairnessBackoff {

	private static final int FIRST_STREAK = 8;

	private static final int LONGEST_STREAK = 128;

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
			this.streaks.put(key, new Streak(fencingToken, 1, FIRST_STREAK, now.observerNanos(), null, false));
			return;
		}
		int longest = before.backedOff() ? Math.min(LONGEST_STREAK, before.longest() * 2) : before.longest();
		this.streaks.put(key, new Streak(fencingToken, before.length() + 1, longest, now.observerNanos(), null, false));
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
		if (streak.length() < streak.longest() || turnOfOthers > longest) {
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
	 * @param grantedAt when the last one came
	 * @param turnEnds until when it is others' turn, since the lock was released; or
	 * {@code null}
	 * @param backedOff whether this client backed off since
	 */
	private record Streak(long fencingToken, int length, int longest, long grantedAt, @Nullable Long turnEnds,
			boolean backedOff) {

		/** Before others' turn was over, they can hardly have had the lock. */
		boolean isFollowedBy(long token, boolean deleted, ClockReading now) {
			boolean atOnce = this.turnEnds != null && now.observerNanos() < this.turnEnds;
			return token == this.fencingToken + 1 || (deleted && atOnce);
		}

		/** The longer a lock is held, the longer others pause between two polls. */
		Streak released(long now) {
			long turn = Observation.longestPollInterval(now - this.grantedAt) + TIME_TO_CLAIM;
			return new Streak(this.fencingToken, this.length, this.longest, this.grantedAt, Nanos.later(now, turn),
					false);
		}

		Streak rested(boolean backedOff) {
			return new Streak(this.fencingToken, 0, this.longest, this.grantedAt, this.turnEnds, backedOff);
		}

	}

}
