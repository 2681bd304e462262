/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * How long it took until the lock of a killed holder was somebody else's, and until
 * holders knew of their losses.
 */
public final class Timings {

	private static final double SECOND = 1e9;

	private static final String EXPIRED = "EXPIRED";

	private final History history;

	private final List<Double> takeovers = new ArrayList<>();

	private final List<Double> takeoversInLeases = new ArrayList<>();

	private final List<Double> waits = new ArrayList<>();

	private final List<Double> expirations = new ArrayList<>();

	private final List<Double> deletions = new ArrayList<>();

	private final Map<String, Integer> reasons = new TreeMap<>();

	private Timings(History history) {
		this.history = history;
	}

	public static Timings of(History history) {
		Timings timings = new Timings(history);
		history.holdsByLock().values().forEach(timings::measureTakeovers);
		history.losses().values().forEach((losses) -> losses.forEach(timings::measureLoss));
		return timings;
	}

	private void measureTakeovers(List<Hold> holds) {
		List<Hold> sorted = holds.stream().sorted(Comparator.comparingLong((hold) -> hold.grant().granted())).toList();
		Map<Owner, Long> deaths = this.history.deaths();
		for (int at = 0; at + 1 < sorted.size(); at++) {
			Hold hold = sorted.get(at);
			Long died = deaths.get(hold.grant().owner());
			Grant next = sorted.get(at + 1).grant();
			if (died != null && !hold.isReleasing() && hold.isSeen()
					&& !this.history.losses().containsKey(hold.grant().id()) && next.granted() > died
					&& !this.history.isDeleted(hold.grant().lock(), hold.grant().began(), next.granted())) {
				this.takeovers.add((next.granted() - died) / SECOND);
				this.waits.add((next.granted() - Math.max(died, next.began())) / SECOND);
				this.takeoversInLeases.add((double) (next.granted() - died) / hold.grant().lease());
			}
		}
	}

	private void measureLoss(Loss loss) {
		this.reasons.merge(loss.reason(), 1, Integer::sum);
		Hold hold = this.history.hold(loss.grant());
		if (hold == null) {
			return;
		}
		if (loss.reason().equals(EXPIRED)) {
			if (loss.deadline() > 0) {
				long since = runningSince(hold.grant().owner(), loss.deadline());
				this.expirations.add(Math.max(0, loss.told() - since) / SECOND);
			}
			return;
		}
		Interval deletion = this.history.lastDeletion(hold.grant().lock(), loss.told());
		if (deletion != null && deletion.to() >= hold.grant().granted()) {
			this.deletions.add(Math.max(0, loss.told() - deletion.from()) / SECOND);
		}
	}

	/** The time itself, or when the process was continued if it stood still then. */
	private long runningSince(Owner owner, long time) {
		@Nullable Interval pause = this.history.pauses(owner)
			.stream()
			.filter((each) -> each.contains(time))
			.findFirst()
			.orElse(null);
		return (pause != null) ? pause.to() : time;
	}

	/** From a holder's death to the next grant, in seconds. */
	public List<Double> takeovers() {
		return this.takeovers;
	}

	/** How long of that the next owner asked for the lock, in seconds. */
	public List<Double> waits() {
		return this.waits;
	}

	/** The takeovers in leases of the dead holder. */
	public List<Double> takeoversInLeases() {
		return this.takeoversInLeases;
	}

	/** From the end of a lease until the holder was told, in seconds. */
	public List<Double> expirations() {
		return this.expirations;
	}

	/** From the deletion of an item or the table until the holder was told. */
	public List<Double> deletions() {
		return this.deletions;
	}

	/** How many losses were told, by reason. */
	public Map<String, Integer> reasons() {
		return this.reasons;
	}

}
