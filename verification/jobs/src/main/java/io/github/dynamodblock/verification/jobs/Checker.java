/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.dynamodblock.verification.harness.Times;
import io.github.dynamodblock.verification.jobs.Run.End;
import io.github.dynamodblock.verification.jobs.node.TrialNode;

import org.springframework.scheduling.support.CronExpression;

/**
 * Checks the runs of one trial. It does not read the records of the jobs.
 */
final class Checker {

	private static final Duration NEAR = Duration.ofSeconds(10);

	private final List<String> problems = new ArrayList<>();

	private final List<Run> runs;

	private final Set<Instant> missed;

	private final Set<Instant> crashed;

	/**
	 * Creates a checker.
	 * @param history what the nodes have reported
	 */
	Checker(History history) {
		this.runs = history.runs().stream().sorted(Run.BY_BEGIN).toList();
		this.missed = history.ticks(TrialNode.MISSED);
		this.crashed = history.ticks(TrialNode.CRASHED);
	}

	/** Returns what was found. */
	List<String> problems() {
		return List.copyOf(this.problems);
	}

	/** Adds a problem unless a condition holds. */
	void require(boolean condition, String otherwise) {
		if (!condition) {
			this.problems.add(otherwise);
		}
	}

	/**
	 * Checks that a tick runs again only on another node, after a run that was cut short,
	 * as the same attempt after an interrupt and as the next one after a kill, and that
	 * no two bodies of a job run at the same time.
	 */
	void checkRuns() {
		byTick().values().forEach(this::checkTick);
		byTick().values().forEach((tick) -> checkFirst(tick.get(0)));
		byJob().values().forEach(this::checkOverlaps);
	}

	private void checkTick(List<Run> tick) {
		for (int i = 1; i < tick.size(); i++) {
			Run before = tick.get(i - 1);
			Run after = tick.get(i);
			String both = before + ", then " + after;
			int attempt = before.attempt() + (before.is(End.KILLED) ? 1 : 0);
			if (!before.is(End.INTERRUPTED) && !before.is(End.KILLED)) {
				this.problems.add("a tick ran twice: " + both);
			}
			else if (after.node().equals(before.node())) {
				this.problems.add("a node repeated its run: " + both);
			}
			else {
				require(after.attempt() == attempt && after.rerun(),
						"a rerun should be attempt " + attempt + ": " + both);
			}
		}
	}

	private void checkFirst(Run first) {
		require(first.attempt() == 1 && !first.rerun(), "not the first attempt of a tick: " + first);
	}

	private void checkOverlaps(List<Run> job) {
		for (int i = 1; i < job.size(); i++) {
			Run before = job.get(i - 1);
			Run after = job.get(i);
			require(!after.begin().isBefore(before.end()), "two bodies at the same time: " + before + " and " + after);
		}
	}

	/**
	 * Checks that a tick that was cut short is run again exactly once, to its end.
	 * @param cut the run that was cut short
	 */
	void checkRerun(Run cut) {
		List<Run> later = this.runs.stream()
			.filter((run) -> run.job().equals(cut.job()) && run.tick().equals(cut.tick()))
			.filter((run) -> run.begin().isAfter(cut.begin()))
			.toList();
		require(later.size() == 1 && later.get(0).is(End.ENDED),
				"should be rerun once and completely, but has " + later.size() + " reruns: " + cut);
	}

	/**
	 * Checks that each tick of a job ran to its end.
	 * @param job the job
	 * @param cron its schedule, in UTC
	 * @param after the first tick is later
	 * @param until the last tick is not later
	 * @param mayWait whether a tick may be missed and reported because a run held the
	 * lock when it was due
	 * @return how many ticks ran
	 */
	int checkTicks(String job, String cron, Instant after, Instant until, boolean mayWait) {
		int ran = 0;
		List<Instant> due = ticks(cron, after, until);
		for (Instant tick : due) {
			boolean ended = this.runs.stream()
				.anyMatch((run) -> run.job().equals(job) && run.tick().equals(tick) && run.is(End.ENDED));
			String name = job + "'s tick " + Times.timeOfDay(tick);
			if (ended) {
				ran++;
			}
			else if (!this.missed.contains(tick)) {
				this.problems.add(name + " was lost: "
						+ (this.crashed.contains(tick) ? "a node reported that it crashed"
								: "it did not run, and no node reported that")
						+ ". Ticks count after " + Times.timeOfDay(after) + ". The runs near it: " + near(tick));
			}
			else {
				require(mayWait && this.runs.stream().anyMatch((run) -> run.mayHold(tick)),
						name + " was missed, although the lock was free");
			}
		}
		require(ran > 0, job + " ran none of " + due.size() + " ticks");
		return ran;
	}

	private String near(Instant tick) {
		return this.runs.stream()
			.filter((run) -> Duration.between(run.tick(), tick).abs().compareTo(NEAR) <= 0)
			.map(Run::toString)
			.collect(Collectors.joining(", ", "[", "]"));
	}

	/** Returns the fire times of an expression between two times. */
	static List<Instant> ticks(String cron, Instant after, Instant until) {
		CronExpression expression = CronExpression.parse(cron);
		List<Instant> ticks = new ArrayList<>();
		ZonedDateTime tick = expression.next(after.atZone(ZoneOffset.UTC));
		while (tick != null && !tick.toInstant().isAfter(until)) {
			ticks.add(tick.toInstant());
			tick = expression.next(tick);
		}
		return ticks;
	}

	/** Returns the number of ticks with more than one run. */
	long reruns() {
		return byTick().values().stream().mapToLong((tick) -> tick.size() - 1).sum();
	}

	private Map<String, List<Run>> byTick() {
		return this.runs.stream()
			.collect(Collectors.groupingBy((run) -> run.job() + " " + run.tick(), TreeMap::new, Collectors.toList()));
	}

	private Map<String, List<Run>> byJob() {
		return this.runs.stream().collect(Collectors.groupingBy(Run::job, TreeMap::new, Collectors.toList()));
	}

}
