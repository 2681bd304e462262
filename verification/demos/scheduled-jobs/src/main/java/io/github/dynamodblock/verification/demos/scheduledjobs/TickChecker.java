/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.verification.demos.scheduledjobs.LockChecker.Kill;
import org.jspecify.annotations.Nullable;

/**
 * Checks that each tick of each job ran once, and again if its node was killed, from what
 * the nodes reported. It does not read the records of the jobs.
 */
final class TickChecker {

	/** A process that stalls while it holds a job's lock can make a tick be missed. */
	static final int MOST_MISSED = 2;

	private final List<String> problems = new ArrayList<>();

	private final Set<Tick> reported;

	private final @Nullable Kill kill;

	private final List<Tick> missed = new ArrayList<>();

	private int ticks;

	private int reruns;

	private TickChecker(Set<Tick> reported, @Nullable Kill kill) {
		this.reported = reported;
		this.kill = kill;
	}

	/**
	 * Checks a run.
	 * @param sections all sections of all nodes, in any order
	 * @param reported the ticks that nodes reported as missed
	 * @param kill the kill, or {@code null} if there was none
	 * @param after when all nodes were up: each later tick must have run
	 * @param until when the nodes began to stop: no later tick is counted
	 */
	static Verdict check(List<Section> sections, Set<Tick> reported, @Nullable Kill kill, Instant after,
			Instant until) {
		TickChecker checker = new TickChecker(reported, kill);
		Map<Tick, List<Section>> runs = checker.groupRuns(sections);
		runs.forEach(checker::checkAttempts);
		Job.ALL.forEach((job) -> checker.checkMissed(job, runs, after, until));
		checker.checkNumberOfMissed();
		return new Verdict(checker.problems, checker.figures());
	}

	/** Groups all runs, those before the first and after the last counted tick too. */
	private Map<Tick, List<Section>> groupRuns(List<Section> sections) {
		Map<Tick, List<Section>> runs = new LinkedHashMap<>();
		sections.stream()
			.filter((section) -> Job.isJob(section.key()))
			.sorted(Comparator.comparing(Section::begin))
			.forEach((run) -> {
				Instant tick = run.tick();
				if (tick == null) {
					this.problems.add(run.key() + " ran without a tick: " + run);
				}
				else {
					runs.computeIfAbsent(new Tick(run.key(), tick), (key) -> new ArrayList<>()).add(run);
				}
			});
		return runs;
	}

	private void checkAttempts(Tick tick, List<Section> attempts) {
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
	private void checkMissed(Job job, Map<Tick, List<Section>> runs, Instant after, Instant until) {
		List<Instant> due = job.ticks(after, until);
		if (due.isEmpty()) {
			this.problems.add(job.key() + " had no tick");
		}
		for (Instant time : due) {
			Tick tick = new Tick(job.key(), time);
			int attempts = runs.getOrDefault(tick, List.of()).size();
			if (attempts == 0) {
				this.missed.add(tick);
				if (!this.reported.contains(tick)) {
					this.problems.add(tick + " was missed, and no node reported that");
				}
			}
			this.ticks++;
			this.reruns += Math.max(0, attempts - 1);
		}
	}

	private void checkNumberOfMissed() {
		if (this.missed.size() > MOST_MISSED) {
			this.problems.add(this.missed.size() + " ticks were missed, which is more than " + MOST_MISSED
					+ "; the first one was " + this.missed.get(0));
		}
	}

	/** Returns the figures of a run without problems. */
	private String figures() {
		return this.ticks + " ticks, 0 doubled, " + this.missed.size()
				+ (this.missed.isEmpty() ? " missed, " : " missed and reported, ") + this.reruns
				+ ((this.reruns == 1) ? " rerun" : " reruns");
	}

}
