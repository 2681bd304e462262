/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.dynamodblock.verification.harness.Times;
import io.github.dynamodblock.verification.harness.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Checks what the nodes reported. It does not ask the lock table.
 */
final class LockChecker {

	/** How long a lock outlives its owner's last heartbeat: an argument of the nodes. */
	static final Duration LEASE = Duration.ofSeconds(4);

	private static final Duration GRACE = Duration.ofSeconds(1);

	private final List<String> problems = new ArrayList<>();

	private final List<Section> sections;

	private final @Nullable Kill kill;

	private LockChecker(List<Section> sections, @Nullable Kill kill) {
		this.sections = sections;
		this.kill = kill;
	}

	/**
	 * Checks a run.
	 * @param sections all sections of all nodes, in any order
	 * @param kill the kill, or {@code null} if there was none
	 * @param nodes how many nodes took part
	 * @param fewestRuns how many sections there must be for a verdict
	 */
	static Verdict check(List<Section> sections, @Nullable Kill kill, int nodes, int fewestRuns) {
		LockChecker checker = new LockChecker(sections, kill);
		Collection<List<Section>> locks = sections.stream()
			.sorted(Comparator.comparing(Section::begin).thenComparing(Section::token))
			.collect(Collectors.groupingBy(Section::key, TreeMap::new, Collectors.toList()))
			.values();
		locks.forEach(checker::checkOverlaps);
		locks.forEach(checker::checkTokens);
		checker.checkNumbers(nodes, fewestRuns);
		String slowestWaiter = checker.checkTakeovers(false);
		String rerun = checker.checkTakeovers(true);
		return new Verdict(checker.problems,
				nodes + " nodes, " + sections.size() + " runs, 0 overlaps, takeover " + slowestWaiter + " by a waiter, "
						+ rerun + " by a rerun after the kill (lease " + LEASE.toSeconds() + " s)");
	}

	/**
	 * Compares each section with all later ones that begin before its end: one long
	 * section can overlap many.
	 */
	private void checkOverlaps(List<Section> lock) {
		for (int i = 0; i < lock.size(); i++) {
			Section section = lock.get(i);
			for (Section later : lock.subList(i + 1, lock.size())) {
				if (section.overlaps(later)) {
					this.problems.add(section.key() + " overlaps: " + section + " and " + later);
				}
				else if (!later.begin().isBefore(section.end())) {
					break;
				}
			}
		}
	}

	private void checkTokens(List<Section> lock) {
		for (int i = 1; i < lock.size(); i++) {
			Section before = lock.get(i - 1);
			Section after = lock.get(i);
			if (after.token() <= before.token()) {
				this.problems.add(after.key() + "'s token did not increase: " + before + ", then " + after);
			}
		}
	}

	private void checkNumbers(int nodes, int fewestRuns) {
		if (this.sections.size() < fewestRuns) {
			this.problems.add("too few runs for a verdict: " + this.sections.size() + ", not " + fewestRuns);
		}
		long active = this.sections.stream().map(Section::node).distinct().count();
		if (active != nodes) {
			this.problems.add(active + " nodes had a lock, not " + nodes);
		}
	}

	/** Returns how long the slowest takeover took; empty if there is none. */
	private String checkTakeovers(boolean job) {
		if (this.kill == null) {
			this.problems.add("no node was killed, because none ran " + Job.REPORT.key()
					+ " while it held a lock that another node waited for");
			return "";
		}
		Kill killed = this.kill;
		List<Section> orphans = this.sections.stream()
			.filter((section) -> section.cutShort() && section.node().equals(killed.node()))
			.filter((section) -> Job.isJob(section.key()) == job)
			.toList();
		if (orphans.isEmpty()) {
			this.problems.add(killed.node() + " was killed while it "
					+ (job ? "did not run " + Job.REPORT.key() : "held no lock that others wait for"));
		}
		Duration latest = latestTakeover(job);
		Duration slowest = Duration.ZERO;
		for (Section orphan : orphans) {
			Section successor = successor(orphan);
			Duration time = (successor != null) ? Duration.between(killed.time(), successor.begin()) : Duration.ZERO;
			if (successor == null) {
				this.problems.add("no node took over " + orphan.key() + " after the kill of " + killed.node());
			}
			else if (time.compareTo(latest) > 0) {
				this.problems.add(orphan.key() + " was taken over " + Times.seconds(time)
						+ " after the kill, which is later than " + latest.toSeconds() + " s");
			}
			slowest = (time.compareTo(slowest) > 0) ? time : slowest;
		}
		return Times.seconds(slowest);
	}

	/**
	 * Returns the longest time from the kill to a takeover. It counts from the last
	 * heartbeat, which is not later than the kill. A node that watches a run reads that
	 * heartbeat up to a lease later, and starts the next attempt a lease after that.
	 */
	private static Duration latestTakeover(boolean job) {
		return LEASE.multipliedBy(job ? 2 : 1).plus(GRACE);
	}

	private @Nullable Section successor(Section orphan) {
		return this.sections.stream()
			.filter((section) -> section.key().equals(orphan.key()) && section.begin().isAfter(orphan.begin()))
			.min(Comparator.comparing(Section::begin))
			.orElse(null);
	}

	/**
	 * The kill of a node.
	 *
	 * @param node the node
	 * @param time just before the signal was sent
	 */
	record Kill(String node, Instant time) {
	}

}
