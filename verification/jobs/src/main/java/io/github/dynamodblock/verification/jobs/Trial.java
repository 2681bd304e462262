/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Times;
import io.github.dynamodblock.verification.harness.Verdict;

/**
 * A trial: what happens to the nodes, and how their runs are checked afterwards.
 */
abstract class Trial {

	static final int NODES = 3;

	/** Long enough for the harness to see that the body has begun, and to act. */
	private static final Duration IN_THE_MIDDLE = Duration.ofMillis(300);

	private final Nodes nodes;

	Trial(Nodes nodes) {
		this.nodes = nodes;
	}

	Nodes nodes() {
		return this.nodes;
	}

	History history() {
		return this.nodes.history();
	}

	/** Runs the trial, and ends its nodes. */
	final Verdict run() throws IOException, InterruptedException, DemoFailedException {
		List<String> problems = new ArrayList<>();
		try {
			act();
		}
		catch (DemoFailedException ex) {
			problems.add(ex.getMessage());
		}
		Checker checker = new Checker(history());
		checkAlways(checker);
		checker.checkRuns();
		String figures = problems.isEmpty() ? check(checker) : "";
		this.nodes.end();
		List<String> all = new ArrayList<>(checker.problems());
		all.addAll(problems);
		return new Verdict(all, figures);
	}

	/**
	 * Does what the trial is about.
	 * @throws DemoFailedException if what the trial waits for does not happen
	 */
	abstract void act() throws IOException, InterruptedException, DemoFailedException;

	/** Checks what holds at each time. */
	void checkAlways(Checker checker) {
	}

	/**
	 * Checks the runs further, if everything has happened.
	 * @return what was counted
	 */
	abstract String check(Checker checker);

	/** Waits until a job is in the middle of a run on one of some nodes. */
	Run awaitRunning(String job, List<String> among) throws InterruptedException, DemoFailedException {
		return this.nodes.awaitValue("no node of " + among + " was in the middle of " + job, () -> running(job, among));
	}

	Optional<Run> running(String job, List<String> among) {
		Instant begunBefore = Instant.now().minus(IN_THE_MIDDLE);
		return history().running()
			.filter((run) -> run.job().equals(job) && among.contains(run.node()) && run.begin().isBefore(begunBefore))
			.findFirst();
	}

	/** Waits until runs of several ticks after a time have ended. */
	void awaitEnded(int number, Instant after) throws InterruptedException, DemoFailedException {
		this.nodes.await("no " + number + " ticks ran", () -> history().ended(after) >= number);
	}

	/** Waits until a run that repeats another one has ended. */
	void awaitRerun(Run cut) throws InterruptedException, DemoFailedException {
		this.nodes.await("no node repeated the run of " + cut.node() + ", tick " + Times.timeOfDay(cut.tick()),
				() -> history().runs()
					.stream()
					.anyMatch((run) -> run.job().equals(cut.job()) && run.tick().equals(cut.tick()) && run.rerun()
							&& run.is(Run.End.ENDED)));
	}

}
