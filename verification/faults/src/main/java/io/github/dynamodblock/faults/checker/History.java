/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What happened in a run. Thread-safe while it is gathered; whoever reads more than one
 * thing of it meanwhile holds its monitor.
 */
public final class History implements RemoteHistory {

	/** Stands for all locks. */
	public static final int ALL = -1;

	private final Map<String, Hold> holds = new LinkedHashMap<>();

	private final Map<String, List<Loss>> losses = new LinkedHashMap<>();

	/** When a holder saw, by asking, that it had lost the lock. */
	private final Map<String, Long> lossesSeen = new LinkedHashMap<>();

	private final Map<Integer, List<Update>> plainUpdates = new HashMap<>();

	private final Map<Integer, Long> highestTokens = new HashMap<>();

	private final Map<Integer, List<Interval>> deletions = new HashMap<>();

	private final Map<Owner, List<Interval>> pauses = new HashMap<>();

	private final Map<Owner, Long> deaths = new LinkedHashMap<>();

	private final Set<Owner> wildClocks = new HashSet<>();

	/** Of each lock, whose each token is. */
	private final Map<Integer, NavigableMap<Long, Set<Owner>>> owners = new HashMap<>();

	private final GuardedCounters guardedCounters = new GuardedCounters();

	private final Map<String, Long> counts = new TreeMap<>();

	private final List<Finding> findings = new ArrayList<>();

	@Override
	public synchronized void count(String what) {
		this.counts.merge(what, 1L, Long::sum);
	}

	@Override
	public synchronized void granted(Grant grant) {
		this.holds.put(grant.id(), new Hold(grant));
		Long token = grant.token();
		if (token != null) {
			applied(grant.lock(), token, grant.owner());
		}
	}

	@Override
	public synchronized void seenHeld(String grant, long from, long to) {
		Hold hold = this.holds.get(grant);
		if (hold != null) {
			hold.seen(from, to);
		}
	}

	@Override
	public synchronized void releasing(String grant) {
		Hold hold = this.holds.get(grant);
		if (hold != null) {
			hold.releasing();
		}
	}

	@Override
	public synchronized void ended(String grant, Hold.Ending ending) {
		Hold hold = this.holds.get(grant);
		if (hold != null) {
			hold.ended(ending);
		}
	}

	@Override
	public synchronized void lost(Loss loss) {
		this.losses.computeIfAbsent(loss.grant(), (first) -> new ArrayList<>()).add(loss);
	}

	@Override
	public synchronized void lossSeen(String grant, long at) {
		this.lossesSeen.putIfAbsent(grant, at);
	}

	/** Somebody other than the owners deleted a lock's item, or those of all locks. */
	public synchronized void deleted(int lock, Interval when) {
		this.deletions.computeIfAbsent(lock, (first) -> new ArrayList<>()).add(when);
	}

	public synchronized void paused(Owner owner, Interval when) {
		this.pauses.computeIfAbsent(owner, (first) -> new ArrayList<>()).add(when);
	}

	public synchronized void died(Owner owner, long at) {
		this.deaths.put(owner, at);
	}

	/** The clock of a process runs at a rate beyond what is allowed. */
	public synchronized void wildClock(Owner owner) {
		this.wildClocks.add(owner);
	}

	/**
	 * DynamoDB showed that an owner's claim was applied, whether or not that owner, or
	 * anybody else, came to know.
	 */
	public synchronized void applied(int lock, long token, Owner owner) {
		this.owners.computeIfAbsent(lock, (first) -> new TreeMap<>())
			.computeIfAbsent(token, (first) -> new HashSet<>())
			.add(owner);
	}

	@Override
	public synchronized void found(Rule rule, String text) {
		this.findings.add(new Finding(rule, null, null, text));
	}

	synchronized void plainUpdate(int lock, Update update) {
		this.plainUpdates.computeIfAbsent(lock, (first) -> new ArrayList<>()).add(update);
	}

	/** Checked here once more, since the resource may be wrong itself. */
	synchronized void fencedUpdate(int lock, long token, Update update) {
		this.counts.merge("fenced writes accepted", 1L, Long::sum);
		long highest = this.highestTokens.merge(lock, token, Math::max);
		if (token < highest) {
			this.findings.add(new Finding(Rule.STALE_TOKEN_ACCEPTED, null, lock,
					update.grant() + " wrote with token " + token + " after " + highest));
		}
		if (update.isLost()) {
			this.findings
				.add(new Finding(Rule.FENCED_UPDATE, null, lock, update.grant() + " wrote " + (update.read() + 1)
						+ " after it had read " + update.read() + ", but the counter was " + update.before()));
		}
	}

	@Override
	public synchronized void guardedWrite(GuardedWrite write) {
		this.guardedCounters.add(write);
	}

	/** All updates of a lock's guarded counter until now, in the order of the commits. */
	public synchronized void committed(int lock, List<CommittedUpdate> updates) {
		this.guardedCounters.committed(lock, updates);
	}

	/** How many updates of the guarded counter had that outcome. */
	public synchronized long guardedWrites(GuardedWrite.Outcome outcome) {
		return this.guardedCounters.count(outcome);
	}

	/** How many updates of the guarded counter were committed. */
	public synchronized long committedCount() {
		return this.guardedCounters.committedCount();
	}

	GuardedCounters guardedCounters() {
		return this.guardedCounters;
	}

	/** Whether the lock, or all, had their items deleted between these times. */
	boolean isDeleted(int lock, long from, long to) {
		return deletions(lock).stream().anyMatch((each) -> each.meets(from, to));
	}

	boolean isWild(Owner owner) {
		return this.wildClocks.contains(owner);
	}

	/** Whose the tokens of a lock are, as far as anybody ever saw. */
	NavigableMap<Long, Set<Owner>> owners(int lock) {
		return this.owners.getOrDefault(lock, Collections.emptyNavigableMap());
	}

	/** How many claims were seen to be applied of which no holder told. */
	public synchronized long unreportedClaims() {
		long claims = this.owners.values().stream().mapToLong(Map::size).sum();
		return claims - this.holds.values()
			.stream()
			.map(Hold::grant)
			.filter((grant) -> grant.token() != null)
			.map((grant) -> Map.entry(grant.lock(), Objects.requireNonNull(grant.token())))
			.distinct()
			.count();
	}

	/** Those of this lock's item, and of all. */
	List<Interval> deletions(int lock) {
		return Stream.of(lock, ALL).flatMap((which) -> intervals(this.deletions, which).stream()).toList();
	}

	List<Loss> losses(String grant) {
		return this.losses.getOrDefault(grant, List.of());
	}

	/** The deletion that ended last before a time, of this lock's item or of all. */
	@Nullable Interval lastDeletion(int lock, long before) {
		return deletions(lock).stream()
			.filter((each) -> each.from() < before)
			.max(Comparator.comparingLong(Interval::to))
			.orElse(null);
	}

	List<Interval> pauses(Owner owner) {
		return intervals(this.pauses, owner);
	}

	private static <K> List<Interval> intervals(Map<K, List<Interval>> all, K which) {
		return all.getOrDefault(which, List.of());
	}

	public synchronized Map<Owner, Long> deaths() {
		return new LinkedHashMap<>(this.deaths);
	}

	public synchronized List<Hold> holds() {
		return List.copyOf(this.holds.values());
	}

	/** Those of each lock, in the order in which they became known. */
	Map<Integer, List<Hold>> holdsByLock() {
		Map<Integer, List<Hold>> all = new TreeMap<>();
		holds().forEach((hold) -> all.computeIfAbsent(hold.grant().lock(), (first) -> new ArrayList<>()).add(hold));
		return all;
	}

	synchronized @Nullable Hold hold(String grant) {
		return this.holds.get(grant);
	}

	Map<String, List<Loss>> losses() {
		return this.losses;
	}

	Map<String, Long> lossesSeen() {
		return this.lossesSeen;
	}

	Map<Integer, List<Update>> plainUpdates() {
		return this.plainUpdates;
	}

	/** How many writes there were without fencing. */
	public synchronized int plainUpdateCount() {
		return this.plainUpdates.values().stream().mapToInt(List::size).sum();
	}

	/** What was found already. */
	synchronized List<Finding> findings() {
		return List.copyOf(this.findings);
	}

	/** How often what is only counted has happened. */
	public synchronized Map<String, Long> counts() {
		return new TreeMap<>(this.counts);
	}

}
