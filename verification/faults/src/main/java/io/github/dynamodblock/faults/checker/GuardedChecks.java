/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Checks the guarded counters. Each counter's item lists its updates in the order in
 * which DynamoDB committed them, so that no clock, pause or lost response can invent a
 * finding. Of two owners, the newer one is the one that came between two updates of the
 * other, that requested the lock after the other was granted it, or that has the greater
 * fencing token; tokens prove nothing if the lock's item was deleted in between.
 */
final class GuardedChecks {

	private final History history;

	private final GuardedCounters counters;

	private final List<Finding> findings = new ArrayList<>();

	private GuardedChecks(History history) {
		this.history = history;
		this.counters = history.guardedCounters();
	}

	/**
	 * Checks what is committed at this moment. The caller holds the history's monitor.
	 * @return what must not have happened, allowed or not
	 */
	static List<Finding> check(History history) {
		GuardedChecks checks = new GuardedChecks(history);
		Map<String, Integer> times = new HashMap<>();
		checks.counters.committed().forEach((lock, updates) -> {
			checks.checkOwners(lock, updates);
			checks.checkValues(lock, updates, times);
		});
		checks.checkAcknowledged(times);
		return checks.findings;
	}

	private void add(Rule rule, @Nullable AllowedAnomaly anomaly, int lock, String text) {
		this.findings.add(new Finding(rule, anomaly, lock, text));
	}

	/** A write without a condition on the lock promises nothing. */
	private @Nullable AllowedAnomaly unguarded(CommittedUpdate update) {
		return this.counters.isGuarded(update) ? null : AllowedAnomaly.UNGUARDED;
	}

	private void checkOwners(int lock, List<CommittedUpdate> updates) {
		Owners owners = new Owners();
		for (CommittedUpdate update : updates) {
			Hold hold = this.history.hold(update.grant());
			Hold greater = owners.withGreaterToken(hold);
			if (owners.hasNewer(update.grant(), hold)) {
				add(Rule.STALE_COMMIT, unguarded(update), lock,
						update.id() + " was committed after an update of a newer owner");
			}
			else if (hold != null && greater != null) {
				boolean restarted = isRestartedBetween(hold.grant(), greater.grant());
				add(Rule.STALE_COMMIT, restarted ? AllowedAnomaly.ITEM_DELETED : unguarded(update), lock, update.id()
						+ " was committed with token " + hold.grant().token() + " after an update of " + greater);
				if (restarted) {
					owners.restart(hold);
				}
			}
			owners.committed(update.grant(), hold);
		}
	}

	/** Whether tokens may have begun anew in between: then they do not show the order. */
	private boolean isRestartedBetween(Grant one, Grant other) {
		return one.deletesItem() || this.history.isDeleted(one.lock(), Math.min(one.began(), other.began()),
				Math.max(one.granted(), other.granted()));
	}

	private void checkValues(int lock, List<CommittedUpdate> updates, Map<String, Integer> times) {
		long value = 0;
		for (CommittedUpdate update : updates) {
			if (update.read() != value) {
				add(Rule.GUARDED_UPDATE_LOST, unguarded(update), lock, update.id() + " wrote " + (update.read() + 1)
						+ " after it had read " + update.read() + ", but the value was " + value);
			}
			value = update.read() + 1;
			if (times.merge(update.id(), 1, Integer::sum) == 2) {
				add(Rule.GUARDED_UPDATE_DOUBLED, unguarded(update), lock, update.id() + " was committed twice");
			}
			if (this.counters.isRefused(update)) {
				add(Rule.REFUSED_UPDATE_COMMITTED, unguarded(update), lock,
						update.id() + " was committed, but its worker got the result that it was not");
			}
		}
	}

	private void checkAcknowledged(Map<String, Integer> times) {
		for (GuardedWrite write : this.counters.acknowledged()) {
			if (!times.containsKey(write.update())) {
				add(Rule.GUARDED_UPDATE_LOST, write.guarded() ? null : AllowedAnomaly.UNGUARDED, write.lock(),
						write.update() + " was acknowledged, but not committed");
			}
		}
	}

	/**
	 * The owners whose updates were committed so far.
	 */
	private static final class Owners {

		private final Set<String> grants = new HashSet<>();

		private @Nullable String present;

		private long lastRequest = Long.MIN_VALUE;

		private @Nullable Hold greatest;

		/**
		 * Whether the owner before is certainly newer: it came between two updates of
		 * this one, or requested the lock when this one had been granted it.
		 */
		boolean hasNewer(String grant, @Nullable Hold hold) {
			boolean isAnother = !grant.equals(this.present);
			return isAnother
					&& (this.grants.contains(grant) || (hold != null && hold.grant().granted() <= this.lastRequest));
		}

		/** An owner before that has a greater token, or {@code null}. */
		@Nullable Hold withGreaterToken(@Nullable Hold hold) {
			Hold found = this.greatest;
			return (hold != null && found != null && token(hold) < token(found)) ? found : null;
		}

		void restart(Hold hold) {
			this.greatest = hold;
		}

		void committed(String grant, @Nullable Hold hold) {
			this.grants.add(grant);
			this.present = grant;
			if (hold != null) {
				this.lastRequest = Math.max(this.lastRequest, hold.grant().began());
				Hold before = this.greatest;
				this.greatest = (before == null || token(hold) > token(before)) ? hold : before;
			}
		}

		private static long token(Hold hold) {
			Long token = hold.grant().token();
			return (token != null) ? token : 0;
		}

	}

}
