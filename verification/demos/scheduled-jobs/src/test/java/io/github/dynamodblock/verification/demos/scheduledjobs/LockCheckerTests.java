/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.verification.demos.scheduledjobs.LockChecker.Kill;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.verification.demos.scheduledjobs.Sections.at;
import static io.github.dynamodblock.verification.demos.scheduledjobs.Sections.cutShort;
import static io.github.dynamodblock.verification.demos.scheduledjobs.Sections.section;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each test begins with a run in which node-2 is killed at second 15 and everything is in
 * order, and spoils it.
 */
class LockCheckerTests {

	private static final String JOB = Job.REPORT.key();

	private static final int NODES = 3;

	private static final int FEWEST_RUNS = 6;

	private static final Kill KILL = new Kill("node-2", at(15));

	private final List<Section> sections = new ArrayList<>(List.of(
	// @formatter:off
			section(JOB, "node-1", 1, 1, 1.2),
			section("account:alice", "node-1", 1, 1, 2),
			section("account:alice", "node-3", 2, 2, 3),
			cutShort(JOB, "node-2", 2, 10, 15),
			cutShort("account:alice", "node-2", 3, 14.7, 15),
			section("account:alice", "node-1", 4, 18.75, 19.5),
			section(JOB, "node-3", 3, 20.25, 40)));
	// @formatter:on

	@Test
	void runInOrderIsOkAndSaysHowLongTheTakeoversTook() {
		assertThat(verdict()).isEqualTo(Verdict.ok("3 nodes, 7 runs, 0 overlaps, "
				+ "takeover 3.75 s by a waiter, 5.25 s by a rerun after the kill (lease 4 s)"));
	}

	@Test
	void orderInWhichSectionsWereReportedDoesNotMatter() {
		Verdict inOrder = verdict();
		Collections.reverse(this.sections);

		assertThat(verdict()).isEqualTo(inOrder);
	}

	@Test
	void sectionsOfDifferentLocksMayOverlap() {
		this.sections.add(section("account:bob", "node-3", 1, 0, 40));

		assertThat(verdict().passed()).isTrue();
	}

	@Test
	void sectionThatBeginsBeforeTheEndOfAnotherNodesFails() {
		this.sections.add(section("account:alice", "node-2", 9, 19.4, 20));

		assertFailure("account:alice overlaps: node-1 from", "(token 4) and node-2 from", "(token 9)");
	}

	@Test
	void sectionInsideALongOneFailsThoughOthersLieBetween() {
		this.sections.add(section("account:bob", "node-1", 1, 0, 10));
		this.sections.add(section("account:bob", "node-2", 2, 1, 2));
		this.sections.add(section("account:bob", "node-3", 3, 8, 9));

		assertFailure("account:bob overlaps", "(and 1 more)");
	}

	@Test
	void overlapWithinOneNodeFails() {
		this.sections.add(section("account:alice", "node-1", 9, 19, 20));

		assertFailure("account:alice overlaps");
	}

	@Test
	void takeoverBeforeTheKilledNodesDeathFails() {
		this.sections.remove(5);
		this.sections.add(section("account:alice", "node-1", 4, 14.9, 16));

		assertFailure("account:alice overlaps: node-2 from");
	}

	@Test
	void smallerTokenOfALaterSectionFails() {
		this.sections.add(section("account:alice", "node-3", 3, 30, 31));

		assertFailure("account:alice's token did not increase: node-1 from", "(token 4), then node-3 from",
				"(token 3)");
	}

	@Test
	void repeatedTokenFails() {
		this.sections.add(section(JOB, "node-1", 3, 41, 42));

		assertFailure("nightly-report's token did not increase");
	}

	@Test
	void unknownTokenFails() {
		this.sections.add(section("account:alice", "node-3", 0, 30, 31));

		assertFailure("account:alice's token did not increase");
	}

	@Test
	void accountThatNoNodeTakesOverFails() {
		this.sections.remove(5);

		assertFailure("no node took over account:alice after the kill of node-2");
	}

	@Test
	void jobThatNoNodeTakesOverFails() {
		this.sections.remove(6);

		assertFailure("no node took over nightly-report after the kill of node-2");
	}

	@Test
	void everyAccountOfTheKilledNodeMustBeTakenOver() {
		this.sections.add(cutShort("account:bob", "node-2", 1, 14, 15));

		assertFailure("no node took over account:bob");
	}

	@Test
	void slowestWaiterIsReported() {
		this.sections.add(cutShort("account:bob", "node-2", 1, 14, 15));
		this.sections.add(section("account:bob", "node-1", 2, 19.5, 20));

		assertThat(verdict().line()).contains("takeover 4.50 s by a waiter");
	}

	@Test
	void waiterLaterThanLeaseAndASecondFails() {
		this.sections.set(5, section("account:alice", "node-1", 4, 20.001, 21));

		assertFailure("account:alice was taken over 5.00 s after the kill, which is later than 5 s");
	}

	@Test
	void waiterAtTheLastMomentIsInTime() {
		this.sections.set(5, section("account:alice", "node-1", 4, 20, 21));

		assertThat(verdict().passed()).isTrue();
	}

	@Test
	void rerunLaterThanTwoLeasesAndASecondFails() {
		this.sections.set(6, section(JOB, "node-3", 3, 24.01, 40));

		assertFailure("nightly-report was taken over 9.01 s after the kill, which is later than 9 s");
	}

	@Test
	void killOutsideOfTheJobFails() {
		this.sections.set(3, section(JOB, "node-2", 2, 10, 14));

		assertFailure("node-2 was killed while it did not run nightly-report");
	}

	@Test
	void killOutsideOfAWaitedForLockFails() {
		this.sections.set(4, section("account:alice", "node-2", 3, 14, 14.9));

		assertFailure("node-2 was killed while it held no lock that others wait for");
	}

	@Test
	void runWithoutAKillFails() {
		assertThat(LockChecker.check(this.sections, null, NODES, FEWEST_RUNS).line())
			.startsWith("FAILED no node was killed");
	}

	@Test
	void fewerRunsThanAVerdictNeedsFail() {
		assertThat(LockChecker.check(this.sections, KILL, NODES, 8).line())
			.isEqualTo("FAILED too few runs for a verdict: 7, not 8");
	}

	@Test
	void nodeThatNeverHadALockFails() {
		assertThat(LockChecker.check(this.sections, KILL, 4, FEWEST_RUNS).line())
			.isEqualTo("FAILED 3 nodes had a lock, not 4");
	}

	private Verdict verdict() {
		return LockChecker.check(this.sections, KILL, NODES, FEWEST_RUNS);
	}

	private void assertFailure(String... parts) {
		Verdict verdict = verdict();
		assertThat(verdict.passed()).isFalse();
		assertThat(verdict.line()).startsWith("FAILED ").contains(parts);
	}

}
