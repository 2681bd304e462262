/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.verification.demos.scheduledjobs.LockChecker.Kill;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.github.dynamodblock.verification.demos.scheduledjobs.Job.OUTBOX;
import static io.github.dynamodblock.verification.demos.scheduledjobs.Job.REPORT;
import static io.github.dynamodblock.verification.demos.scheduledjobs.Sections.at;
import static io.github.dynamodblock.verification.demos.scheduledjobs.Sections.cutShort;
import static io.github.dynamodblock.verification.demos.scheduledjobs.Sections.run;
import static io.github.dynamodblock.verification.demos.scheduledjobs.Sections.section;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each test begins with the ticks of 25 seconds, in which node-3, whose clock is ahead,
 * is killed in its second report and node-2 runs that again, and spoils them.
 */
class TickCheckerTests {

	private static final Instant UP = at(1);

	private static final Instant STOP = at(25);

	private static final Kill KILL = new Kill("node-3", at(13));

	private final List<Section> sections = new ArrayList<>();

	private final Set<Tick> reported = new HashSet<>();

	TickCheckerTests() {
		for (int tick = 2; tick < 26; tick += 2) {
			this.sections.add(outbox(tick, (tick < 13) ? "node-3" : "node-2"));
		}
		this.sections.add(run(REPORT, "node-3", 0, 1, -0.2, 0));
		this.sections.add(cutShort(run(REPORT, "node-3", 12, 1, 11.8, 13)));
		this.sections.add(run(REPORT, "node-2", 12, 2, 19.7, 19.9));
		this.sections.add(run(REPORT, "node-2", 24, 1, 24, 24.2));
	}

	@Test
	void eachTickOnceIsOk() {
		assertThat(verdict()).isEqualTo(Verdict.ok("14 ticks, 0 doubled, 0 missed, 1 rerun"));
	}

	@Test
	void orderInWhichRunsWereReportedDoesNotMatter() {
		Collections.reverse(this.sections);

		assertThat(verdict().passed()).isTrue();
	}

	@Test
	void tickThatRanOnTwoNodesFails() {
		this.sections.add(outbox(6, "node-1"));

		assertFailure("of outbox was doubled, attempt 1 ran twice: node-3 from", "and node-1 from");
	}

	@Test
	void tickThatRanTwiceOnOneNodeFails() {
		this.sections.add(run(OUTBOX, "node-3", 6, 1, 6.5, 6.52));

		assertFailure("of outbox was doubled");
	}

	@Test
	void secondAttemptAfterARunThatHadEndedFails() {
		this.sections.add(run(OUTBOX, "node-1", 6, 2, 10, 10.02));

		assertFailure("of outbox was doubled, it ran again after a run that had ended");
	}

	@Test
	void attemptThatRanOnTwoNodesFails() {
		this.sections.add(run(REPORT, "node-1", 12, 2, 20, 20.2));

		assertFailure("of nightly-report was doubled, attempt 2 ran twice: node-2 from", "and node-1 from");
	}

	@Test
	void attemptThatWasLeftOutFails() {
		replace(run(REPORT, "node-2", 12, 2, 19.7, 19.9), run(REPORT, "node-2", 12, 3, 19.7, 19.9));

		assertFailure("of nightly-report ran as attempt 1, then as attempt 3");
	}

	@Test
	void tickThatDidNotRunFailsIfNoNodeReportedIt() {
		miss(8);
		this.reported.clear();
		this.reported.add(new Tick(REPORT.key(), at(8)));

		assertFailure("of outbox was missed, and no node reported that");
	}

	@Test
	void missedTicksThatNodesReportedAreCounted() {
		miss(6);
		assertThat(verdict()).isEqualTo(Verdict.ok("14 ticks, 0 doubled, 1 missed and reported, 1 rerun"));

		miss(8);
		assertThat(verdict()).isEqualTo(Verdict.ok("14 ticks, 0 doubled, 2 missed and reported, 1 rerun"));
	}

	@Test
	void moreMissedTicksThanTwoFailAlthoughNodesReportedThem() {
		miss(4);
		miss(6);
		miss(8);

		assertFailure("3 ticks were missed, which is more than 2; the first one was tick", "of outbox");
	}

	@Test
	void tickOfTheLongJobThatDidNotRunFails() {
		this.sections.remove(run(REPORT, "node-2", 24, 1, 24, 24.2));

		assertFailure("of nightly-report was missed");
	}

	@Test
	void runOfTheKilledNodeThatWasNotRerunFails() {
		this.sections.remove(run(REPORT, "node-2", 12, 2, 19.7, 19.9));

		assertFailure("of nightly-report was not rerun after the kill of node-3");
	}

	@Test
	void runWithoutATickFails() {
		this.sections.add(section(OUTBOX.key(), "node-1", 0, 6, 6.02));

		assertFailure("outbox ran without a tick: node-1 from");
	}

	@Test
	void ticksBeforeAllNodesWereUpAndAfterTheStopMayBeMissedButNotDoubled() {
		assertThat(verdict().line()).contains("14 ticks");

		this.sections.add(run(REPORT, "node-1", 0, 1, 0.2, 0.4));
		assertFailure("of nightly-report was doubled");
	}

	@Test
	void runThatAStopInterruptedMayBeRerun() {
		this.sections.add(cutShort(run(OUTBOX, "node-2", 26, 1, 26, 26.01)));
		this.sections.add(run(OUTBOX, "node-1", 26, 2, 26.02, 26.04));

		assertThat(verdict()).isEqualTo(Verdict.ok("14 ticks, 0 doubled, 0 missed, 1 rerun"));
	}

	@Test
	void jobWithoutATickFails() {
		assertThat(TickChecker.check(this.sections, this.reported, KILL, UP, at(10)).line())
			.contains("nightly-report had no tick");
	}

	/** A signal leaves 30 s for the verdict. */
	@Test
	@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void ticksOfADayAreCheckedInTime() {
		this.sections.clear();
		int day = 86_400;
		for (int tick = 2; tick <= day; tick += 2) {
			this.sections.add(outbox(tick, "node-2"));
			this.sections.add(section("account:alice", "node-1", tick, tick, tick + 1));
		}
		for (int tick = 12; tick <= day; tick += 12) {
			this.sections.add(run(REPORT, "node-2", tick, 1, tick, tick + 0.2));
		}

		assertThat(TickChecker.check(this.sections, this.reported, null, UP, at(day)))
			.isEqualTo(Verdict.ok("50400 ticks, 0 doubled, 0 missed, 0 reruns"));
	}

	private static Section outbox(int tick, String node) {
		double begin = node.equals("node-3") ? tick - 0.25 : tick;
		return run(OUTBOX, node, tick, 1, begin, begin + 0.02);
	}

	private void miss(int tick) {
		this.sections.remove(outbox(tick, "node-3"));
		this.reported.add(new Tick(OUTBOX.key(), at(tick)));
	}

	private void replace(Section section, Section by) {
		this.sections.set(this.sections.indexOf(section), by);
	}

	private Verdict verdict() {
		return TickChecker.check(this.sections, this.reported, KILL, UP, STOP);
	}

	private void assertFailure(String... parts) {
		assertThat(verdict().line()).startsWith("FAILED ").contains(parts);
	}

}
