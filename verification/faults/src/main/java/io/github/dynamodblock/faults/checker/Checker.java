/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.dynamodblock.faults.checker.Hold.Ending;
import org.jspecify.annotations.Nullable;

/**
 * Finds in a history what must not have happened. Rests on what holders were told, and on
 * what the resource did; an event that did not become known, because its process was
 * killed, can hide something but never make something up.
 */
public final class Checker {

	private static final int MOST_TEXTS = 20;

	/** Whoever ends sooner than this after seeing a loss may not have told of it. */
	private static final long TELLING = 10_000_000_000L;

	/** The lease has ended, or the client has. */
	private static final Set<String> ORDINARY_LOSSES = Set.of("EXPIRED", "CLOSED");

	private final History history;

	private final AllowedAnomalies anomalies;

	private final List<Finding> findings = new ArrayList<>();

	private Checker(History history) {
		this.history = history;
		this.anomalies = new AllowedAnomalies(history);
	}

	/**
	 * Checks what a history has at this moment; threads that add to it wait meanwhile.
	 * What is a violation now is one later too, when more has become known.
	 * @param history the history
	 * @return what must not have happened, allowed or not; empty if all is well
	 */
	public static List<Finding> check(History history) {
		synchronized (history) {
			Checker checker = new Checker(history);
			checker.findings.addAll(history.findings());
			history.holdsByLock().values().forEach((holds) -> {
				checker.checkExclusion(holds);
				checker.checkTokens(holds);
			});
			history.plainUpdates().values().forEach(checker::checkUpdates);
			checker.checkLosses();
			checker.findings.addAll(GuardedChecks.check(history));
			return List.copyOf(checker.findings);
		}
	}

	/**
	 * The findings in words, at most some of them.
	 * @param findings what was found
	 * @return lines
	 */
	public static List<String> texts(List<Finding> findings) {
		return findings.stream().limit(MOST_TEXTS).map(Finding::toString).toList();
	}

	private void add(Rule rule, @Nullable AllowedAnomaly anomaly, @Nullable Hold hold, String text) {
		this.findings.add(new Finding(rule, anomaly, lock(hold), text));
	}

	private static @Nullable Integer lock(@Nullable Hold hold) {
		return (hold != null) ? (Integer) hold.grant().lock() : null;
	}

	private void checkExclusion(List<Hold> holds) {
		List<Hold> seen = holds.stream().filter(Hold::isSeen).sorted(Comparator.comparingLong(Hold::firstTo)).toList();
		for (int at = 0; at < seen.size(); at++) {
			Hold earlier = seen.get(at);
			for (Hold later : seen.subList(at + 1, seen.size())) {
				if (!earlier.isHeldAfter(later.firstTo() - 1)) {
					break;
				}
				if (earlier.overlaps(later)) {
					add(Rule.TWO_HOLDERS, this.anomalies.ofOverlap(earlier, later), later, earlier + " and " + later);
				}
			}
		}
	}

	/**
	 * Whoever was seen to hold the lock first was granted it first. Looks that overlap in
	 * time, since a process stood still in one of them, say nothing of the order.
	 */
	private void checkTokens(List<Hold> holds) {
		Map<Long, Hold> byToken = new HashMap<>();
		List<Hold> seen = holds.stream().filter((hold) -> hold.isSeen() && hold.grant().token() != null).toList();
		List<Hold> before = seen.stream().sorted(Comparator.comparingLong(Hold::firstTo)).toList();
		int next = 0;
		Hold highest = null;
		for (Hold hold : seen.stream().sorted(Comparator.comparingLong(Hold::firstFrom)).toList()) {
			Hold same = byToken.putIfAbsent(token(hold), hold);
			if (same != null) {
				add(Rule.TOKEN_REPEATED, null, hold, same + " and " + hold);
			}
			while (before.get(next).isSeenBefore(hold)) {
				highest = higher(highest, before.get(next));
				next++;
			}
			if (highest != null && token(highest) > token(hold)) {
				AllowedAnomaly anomaly = this.anomalies.ofOrder(highest, hold);
				add(Rule.TOKEN_ORDER, anomaly, hold, highest + " before " + hold);
				// The count has begun anew.
				highest = (anomaly != null) ? hold : highest;
			}
		}
	}

	private static long token(Hold hold) {
		Long token = hold.grant().token();
		return (token != null) ? token : 0;
	}

	private static Hold higher(@Nullable Hold one, Hold other) {
		return (one != null && token(one) >= token(other)) ? one : other;
	}

	private void checkUpdates(List<Update> updates) {
		for (int at = 0; at < updates.size(); at++) {
			Update update = updates.get(at);
			if (update.isLost()) {
				Hold hold = this.history.hold(update.grant());
				this.findings.add(new Finding(Rule.PLAIN_UPDATE, anomaly(update, updates.subList(0, at)), lock(hold),
						update.grant() + " overwrote " + update.before() + ", although it had read " + update.read()
								+ (update.looked() ? " (looked)" : ""),
						update.looked()));
			}
		}
	}

	/**
	 * A lost update is allowed unless the writer, and another whose write it overwrote,
	 * both still held the lock when their writes were done.
	 */
	private @Nullable AllowedAnomaly anomaly(Update update, List<Update> before) {
		Hold holder = sound(update);
		if (holder == null) {
			return AllowedAnomaly.OUTDATED_CHECK;
		}
		AllowedAnomaly anomaly = AllowedAnomaly.OUTDATED_CHECK;
		for (int at = before.size() - 1; at >= 0 && before.get(at).appliedAt() > update.readAt(); at--) {
			Hold other = sound(before.get(at));
			if (other != null && other != holder) {
				anomaly = this.anomalies.ofOverlap(other, holder);
				if (anomaly == null) {
					return null;
				}
			}
		}
		return anomaly;
	}

	/** Whose the lock was until the write was done; {@code null} if nobody's for sure. */
	private @Nullable Hold sound(Update update) {
		Hold hold = this.history.hold(update.grant());
		return (hold != null && hold.isHeldAfter(update.appliedAt())) ? hold : null;
	}

	private void checkLosses() {
		this.history.losses().forEach((grant, told) -> {
			Hold hold = this.history.hold(grant);
			Ending ending = (hold != null) ? hold.ending() : null;
			if (hold != null) {
				told.forEach((loss) -> checkCause(hold, loss));
			}
			if (told.size() > 1) {
				add(Rule.LOSS_TOLD_ONCE, null, this.history.hold(grant),
						grant + " was notified of its loss " + told.size() + " times");
			}
			if (ending != null && ending.outcome().equals(Ending.RELEASED)) {
				add(Rule.LOSS_TOLD_ONCE, null, this.history.hold(grant),
						grant + " was notified of a loss, but was released");
			}
		});
		this.history.lossesSeen().forEach((grant, at) -> {
			if (!this.history.losses().containsKey(grant) && !diedSoon(grant, at)) {
				add(Rule.LOSS_TOLD_ONCE, null, this.history.hold(grant), grant + " was never notified of its loss");
			}
		});
	}

	private void checkCause(Hold hold, Loss loss) {
		if (!ORDINARY_LOSSES.contains(loss.reason()) && loss.told() < loss.deadline()) {
			add(Rule.LOSS_WITHOUT_CAUSE, this.anomalies.ofLoss(hold, loss), hold, hold + " was lost, " + loss.reason());
		}
	}

	private boolean diedSoon(String grant, long seen) {
		Hold hold = this.history.hold(grant);
		Long died = (hold != null) ? this.history.deaths().get(hold.grant().owner()) : null;
		return died != null && died < seen + TELLING;
	}

}
