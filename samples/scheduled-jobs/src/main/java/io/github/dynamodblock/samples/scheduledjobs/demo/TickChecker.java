/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.demo;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.dynamodblock.samples.demo.Times;
import io.github.dynamodblock.samples.scheduledjobs.demo.LockChecker.Kill;
import org.jspecify.annotations.Nullable;

/**
 * Checks that each tick of each job ran once, and again if its node was killed, from what
 * the nodes reported. It does not read the ledgers of the jobs.
 */
final class TickChecker {

	private final List<String> problems = new ArrayList<>();

	private final List<Section> sections;

	private final Collection<Job> jobs;

	private final @Nullable Kill kill;

	private int ticks;

	private int reruns;

	private TickChecker(List<Section> sections, Collection<Job> jobs, @Nullable Kill kill) {
		this.sections = sections;
		this.jobs = jobs;
		this.kill = kill;
	}

	/**
	 * Checks a run.
	 * @param sections all sections of all nodes, in any order
	 * @param kill the kill, or {@code null} if there was none
	 * @param after when all nodes were up: each later tick must have run
	 * @param until when the nodes began to stop: no later tick is counted
	 */
	static Findings check(List<Section> sections, Collection<Job> jobs, @Nullable Kill kill, Instant after,
			Instant until) {
		TickChecker checker = new TickChecker(sections, jobs, kill);
		checker.checkRuns();
		checker.checkMissed(after, until);
		return new Findings(checker.problems, checker.ticks + " ticks, 0 doubled, 0 missed, " + checker.reruns
				+ ((checker.reruns == 1) ? " rerun" : " reruns"));
	}

	/** Checks all runs, those before the first and after the last counted tick too. */
	private void checkRuns() {
		for (Job job : this.jobs) {
			List<Section> runs = this.sections.stream()
				.filter((section) -> section.key().equals(job.key()))
				.sorted(Comparator.comparing(Section::begin))
				.toList();
			runs.stream()
				.filter((run) -> run.tick() == null)
				.forEach((run) -> this.problems.add(job.key() + " ran without a tick: " + run));
			runs.stream()
				.filter((run) -> run.tick() != null)
				.collect(Collectors.groupingBy(Section::tick, TreeMap::new, Collectors.toList()))
				.forEach((tick, attempts) -> checkAttempts(describe(job, tick), attempts));
		}
	}

	private void checkAttempts(String tick, List<Section> attempts) {
		for (int i = 1; i < attempts.size(); i++) {
			Section before = attempts.get(i - 1);
			Section after = attempts.get(i);
			String both = before + " and " + after;
			if (after.attempt() == before.attempt()) {
				this.problems.add(tick + " was doubled, attempt " + after.attempt() + " ran twice: " + both);
			}
			else if (after.attempt() != before.attempt() + 1) {
				this.problems.add(tick + " ran as attempt " + before.attempt() + ", then as attempt " + after.attempt()
						+ ": " + both);
			}
			else if (!before.cutShort()) {
				this.problems.add(tick + " was doubled, it ran again after a run that had ended: " + both);
			}
		}
		Section last = attempts.get(attempts.size() - 1);
		if (this.kill != null && last.cutShort() && last.node().equals(this.kill.node())) {
			this.problems.add(tick + " was not rerun after the kill of " + last.node());
		}
	}

	/** Checks the ticks that were due while all nodes were up, but for the killed one. */
	private void checkMissed(Instant after, Instant until) {
		for (Job job : this.jobs) {
			List<Instant> due = job.ticks(after, until);
			if (due.isEmpty()) {
				this.problems.add(job.key() + " had no tick");
			}
			for (Instant tick : due) {
				List<Section> runs = this.sections.stream()
					.filter((section) -> section.key().equals(job.key()) && tick.equals(section.tick()))
					.toList();
				if (runs.isEmpty()) {
					this.problems.add(describe(job, tick) + " was missed");
				}
				this.ticks++;
				this.reruns += Math.max(0, runs.size() - 1);
			}
		}
	}

	private static String describe(Job job, Instant tick) {
		return "tick " + Times.timeOfDay(tick) + " of " + job.key();
	}

}
