/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.jobs.node.TrialNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CheckerTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final String CRON = "0/10 * * * * *";

	private final History history = new History();

	@Test
	void ticksThatRanOnceHaveNoProblem() {
		begin(0, "a", 0, 1);
		end(1, "a", 0, 1, TrialNode.ENDS);
		begin(10, "b", 10, 1);
		end(11, "b", 10, 1, TrialNode.ENDS);
		assertThat(problems(Checker::checkRuns)).isEmpty();
		assertThat(checker().checkTicks("job", CRON, NOON.minusSeconds(1), NOON.plusSeconds(10), false)).isEqualTo(2);
	}

	@Test
	void aTickThatRunsTwiceIsFound() {
		begin(0, "a", 0, 1);
		end(1, "a", 0, 1, TrialNode.ENDS);
		begin(2, "b", 0, 1);
		assertThat(problems(Checker::checkRuns)).singleElement().asString().startsWith("a tick ran twice: ");
	}

	@Test
	void twoBodiesAtTheSameTimeAreFound() {
		begin(0, "a", 0, 1);
		begin(10, "b", 10, 1);
		assertThat(problems(Checker::checkRuns)).singleElement()
			.asString()
			.startsWith("two bodies at the same time: attempt 1 of job's tick ");
	}

	@Test
	void aKilledRunIsRunAgainAsTheNextAttemptByAnotherNode() {
		begin(0, "a", 0, 1);
		kill(1, "a");
		begin(4, "b", 0, 2, 1);
		assertThat(problems(Checker::checkRuns)).isEmpty();
		assertThat(problems((checker) -> checker.checkRerun(this.history.runs().get(0)))).singleElement()
			.asString()
			.startsWith("should be rerun once and completely, but has 1 reruns: ");
		end(5, "b", 0, 2, TrialNode.ENDS, 1);
		assertThat(problems((checker) -> checker.checkRerun(this.history.runs().get(0)))).isEmpty();
		assertThat(checker().reruns()).isEqualTo(1);
	}

	@Test
	void anInterruptedRunIsRunAgainAsTheSameAttemptByAnotherNode() {
		begin(0, "a", 0, 1);
		end(1, "a", 0, 1, TrialNode.INTERRUPTED);
		begin(4, "b", 0, 1, 1);
		assertThat(problems(Checker::checkRuns)).isEmpty();
	}

	@Test
	void aRerunWithAnotherAttemptIsFound() {
		begin(0, "a", 0, 1);
		end(1, "a", 0, 1, TrialNode.INTERRUPTED);
		begin(4, "b", 0, 2, 1);
		assertThat(problems(Checker::checkRuns)).singleElement().asString().startsWith("a rerun should be attempt 1: ");
	}

	@Test
	void aRerunByTheSameNodeIsFound() {
		begin(0, "a", 0, 1);
		end(1, "a", 0, 1, TrialNode.INTERRUPTED);
		begin(4, "a", 0, 1, 1);
		assertThat(problems(Checker::checkRuns)).singleElement().asString().startsWith("a node repeated its run: ");
	}

	@Test
	void aRunWithoutATickIsFound() {
		begin(0, "a", 0, 0);
		assertThat(problems(Checker::checkRuns)).singleElement()
			.asString()
			.startsWith("not the first attempt of a tick: ");
	}

	@Test
	void aTickThatNeitherRanNorWasReportedIsLost() {
		begin(0, "a", 0, 1);
		end(1, "a", 0, 1, TrialNode.ENDS);
		assertThat(ticksUntil(10, true)).singleElement()
			.asString()
			.contains(" was lost: it did not run, and no node reported that. Ticks count after ")
			.contains("The runs near it: [attempt 1 of job's tick ");
	}

	@Test
	void aTickThatCrashedIsLost() {
		begin(10, "a", 10, 1);
		end(11, "a", 10, 1, TrialNode.ENDS);
		report(12, "b", TrialNode.CRASHED, NOON.toEpochMilli());
		assertThat(ticksUntil(10, true)).singleElement()
			.asString()
			.contains(" was lost: a node reported that it crashed. ");
	}

	@Test
	void aMissedTickIsAcceptedOnlyWhileARunHoldsTheLock() {
		begin(0, "a", 0, 1);
		end(11, "a", 0, 1, TrialNode.ENDS);
		report(20, "a", TrialNode.MISSED, NOON.plusSeconds(10).toEpochMilli());
		assertThat(ticksUntil(10, true)).isEmpty();
		assertThat(ticksUntil(10, false)).singleElement().asString().endsWith("although the lock was free");
		report(30, "a", TrialNode.MISSED, NOON.plusSeconds(20).toEpochMilli());
		assertThat(ticksUntil(20, true)).singleElement().asString().endsWith("although the lock was free");
	}

	@Test
	void aScheduleWithoutARunIsAProblem() {
		assertThat(ticksUntil(-1, true)).containsExactly("job ran none of 0 ticks");
	}

	private List<String> ticksUntil(long second, boolean mayWait) {
		return problems(
				(checker) -> checker.checkTicks("job", CRON, NOON.minusSeconds(1), NOON.plusSeconds(second), mayWait));
	}

	private List<String> problems(Consumer<Checker> check) {
		Checker checker = checker();
		check.accept(checker);
		return checker.problems();
	}

	private Checker checker() {
		return new Checker(this.history);
	}

	private void begin(long second, String node, long tick, long attempt, long... rerun) {
		run(second, node, TrialNode.BEGINS, tick, attempt, rerun);
	}

	private void end(long second, String node, long tick, long attempt, String how, long... rerun) {
		run(second, node, how, tick, attempt, rerun);
	}

	private void run(long second, String node, String what, long tick, long attempt, long... rerun) {
		report(second, node, what, NOON.plusSeconds(tick).toEpochMilli(), attempt, Arrays.stream(rerun).sum(), 0);
	}

	private void kill(long second, String node) {
		report(second, node, Event.ENDED, 137);
	}

	private void report(long second, String node, String what, long... numbers) {
		this.history
			.add(new Event(NOON.plusSeconds(second), node, what, "job", Arrays.stream(numbers).boxed().toList()));
	}

}
