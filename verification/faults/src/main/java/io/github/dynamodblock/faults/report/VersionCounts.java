/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.report;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.dynamodblock.faults.RunSettings;
import io.github.dynamodblock.faults.checker.Grant;
import io.github.dynamodblock.faults.checker.Hold;
import io.github.dynamodblock.faults.worker.LockKeys;
import io.github.dynamodblock.protocol.LockWrite;

/**
 * What processes of two versions had of each other's locks.
 *
 * @param byPrevious grants to processes of the other version
 * @param byThis grants to processes of this version
 * @param changes grants to one version after one to the other
 * @param takeovers those of them after a holder that had not released the lock
 * @param handOffs grants without a call, within one process
 * @param permits grants of a semaphore's permits
 */
public record VersionCounts(int byPrevious, int byThis, int changes, int takeovers, int handOffs, int permits) {

	/**
	 * Counts.
	 * @param settings what the run was like
	 * @param holds what the locks' holders reported
	 * @return the numbers
	 */
	public static VersionCounts of(RunSettings settings, List<Hold> holds) {
		int[] counts = new int[6];
		Map<Integer, Hold> latest = new HashMap<>();
		List<Hold> inOrder = holds.stream()
			.filter((hold) -> hold.grant().token() != null)
			.sorted(Comparator.comparingLong(VersionCounts::token))
			.toList();
		for (Hold hold : inOrder) {
			Grant grant = hold.grant();
			boolean previous = settings.isPrevious(grant.owner());
			counts[previous ? 0 : 1]++;
			counts[5] += (grant.lock() < LockKeys.PERMITS) ? 1 : 0;
			Hold before = latest.put(grant.lock(), hold);
			if (before == null) {
				continue;
			}
			if (settings.isPrevious(before.grant().owner()) != previous) {
				counts[2]++;
				counts[3] += isReleased(before) ? 0 : 1;
			}
			else if (before.grant().owner().equals(grant.owner())
					&& token(hold) - token(before) < LockWrite.Claim.TOKENS) {
				counts[4]++;
			}
		}
		return new VersionCounts(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]);
	}

	/** Whether each of what the run is about has happened. */
	public boolean isEnough() {
		return this.byPrevious > 0 && this.byThis > 0 && this.changes > 0 && this.takeovers > 0 && this.handOffs > 0
				&& this.permits > 0;
	}

	@Override
	public String toString() {
		return "versions: " + this.byPrevious + " grants by the other version, " + this.byThis + " by this one; "
				+ this.changes + " followed a holder of the other version, " + this.takeovers
				+ " of them as takeovers; " + this.handOffs + " hand-offs, " + this.permits
				+ " grants of a semaphore's permits";
	}

	private static boolean isReleased(Hold hold) {
		Hold.Ending ending = hold.ending();
		return ending != null && ending.outcome().equals(Hold.Ending.RELEASED);
	}

	private static long token(Hold hold) {
		return Objects.requireNonNull(hold.grant().token());
	}

}
