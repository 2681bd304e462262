/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.dynamodblock.samples.support.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Whether the locks did what they are for. It comes from what the nodes wrote down alone,
 * not from the locks' table.
 *
 * @param passed whether everything was found in order
 * @param line what is said about it, beginning with {@code OK} or {@code FAILED}
 */
record Verdict(boolean passed, String line) {

	static Verdict failed(String why) {
		return new Verdict(false, "FAILED " + why);
	}

	/**
	 * Judges a run.
	 * @param sections all sections of all nodes, in any order
	 * @param kill the kill, or {@code null} if there was none
	 * @param rules what to judge by
	 * @return the verdict
	 */
	static Verdict of(List<Section> sections, @Nullable Kill kill, Rules rules) {
		Collection<List<Section>> locks = sections.stream()
			.sorted(Comparator.comparing(Section::begin).thenComparing(Section::token))
			.collect(Collectors.groupingBy(Section::key, TreeMap::new, Collectors.toList()))
			.values();
		List<Takeover> takeovers = (kill != null) ? Takeover.after(kill, sections) : List.of();

		List<String> problems = new ArrayList<>();
		locks.forEach((lock) -> addOverlaps(lock, problems));
		locks.forEach((lock) -> addBackwardTokens(lock, problems));
		addTooFew(sections, rules, problems);
		if (kill == null) {
			problems.add("no node was killed: none was in the middle of " + rules.job()
					+ " and of a lock that another node waited for");
		}
		else {
			addMissingTakeovers(kill, takeovers, rules, problems);
			takeovers.forEach((takeover) -> addUnfitTakeover(takeover, rules, problems));
		}
		if (!problems.isEmpty()) {
			return failed(problems.get(0) + ((problems.size() > 1) ? " (and " + (problems.size() - 1) + " more)" : ""));
		}
		return new Verdict(true,
				"OK " + rules.nodes() + " nodes, " + sections.size() + " runs, 0 overlaps, takeover "
						+ slowest(takeovers, false, rules) + " s by a waiter, " + slowest(takeovers, true, rules)
						+ " s by a tick after the kill (lease " + Clock.plainSeconds(rules.lease()) + " s)");
	}

	/**
	 * Compares every section with all later ones that begin before its end: one long
	 * section can overlap many.
	 */
	private static void addOverlaps(List<Section> lock, List<String> problems) {
		for (int i = 0; i < lock.size(); i++) {
			Section section = lock.get(i);
			for (Section later : lock.subList(i + 1, lock.size())) {
				if (section.overlaps(later)) {
					problems.add(section.key() + " overlaps: " + section + " and " + later);
				}
				else if (!later.begin().isBefore(section.end())) {
					break;
				}
			}
		}
	}

	private static void addBackwardTokens(List<Section> lock, List<String> problems) {
		for (int i = 1; i < lock.size(); i++) {
			Section before = lock.get(i - 1);
			Section after = lock.get(i);
			if (after.token() <= before.token()) {
				problems.add(after.key() + "'s token did not increase: " + before + ", then " + after);
			}
		}
	}

	private static void addTooFew(List<Section> sections, Rules rules, List<String> problems) {
		if (sections.size() < rules.fewestRuns()) {
			problems.add("too few runs to mean anything: " + sections.size() + ", not " + rules.fewestRuns());
		}
		long nodes = sections.stream().map(Section::node).distinct().count();
		if (nodes != rules.nodes()) {
			problems.add(nodes + " nodes had a lock, not " + rules.nodes());
		}
	}

	private static void addMissingTakeovers(Kill kill, List<Takeover> takeovers, Rules rules, List<String> problems) {
		for (boolean job : new boolean[] { false, true }) {
			if (takeovers.stream().noneMatch((takeover) -> rules.isJob(takeover.key()) == job)) {
				problems.add(kill.node() + " was killed while it was not in the middle of "
						+ (job ? rules.job() : "a lock that others wait for"));
			}
		}
	}

	private static void addUnfitTakeover(Takeover takeover, Rules rules, List<String> problems) {
		Optional<Duration> time = takeover.time();
		Duration latest = rules.latestTakeover(takeover.key());
		if (time.isEmpty()) {
			problems.add("nobody took over " + takeover.key() + " after the kill of " + takeover.kill().node());
		}
		else if (time.get().compareTo(latest) > 0) {
			problems.add(takeover.key() + " was taken over " + Clock.seconds(time.get())
					+ " s after the kill, which is later than " + Clock.plainSeconds(latest) + " s");
		}
	}

	private static String slowest(List<Takeover> takeovers, boolean job, Rules rules) {
		return takeovers.stream()
			.filter((takeover) -> rules.isJob(takeover.key()) == job)
			.map((takeover) -> takeover.time().orElseThrow())
			.max(Comparator.naturalOrder())
			.map(Clock::seconds)
			.orElseThrow();
	}

}
