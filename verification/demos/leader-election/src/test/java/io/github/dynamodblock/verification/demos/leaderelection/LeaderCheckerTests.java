/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Verdict;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.verification.demos.leaderelection.ObservedNode.GRANTED;
import static io.github.dynamodblock.verification.demos.leaderelection.ObservedNode.REFUSED;
import static io.github.dynamodblock.verification.demos.leaderelection.ObservedNode.REVOKED;
import static io.github.dynamodblock.verification.demos.leaderelection.ObservedNode.WORKS;
import static org.assertj.core.api.Assertions.assertThat;

class LeaderCheckerTests {

	private final List<Event> events = new ArrayList<>();

	@Test
	void leadersOneAfterTheOtherPass() {
		add("first", GRANTED, 5);
		work("first", 5, 1, 0);
		work("first", 5, 2, 5);
		add("second", GRANTED, 6);
		work("second", 6, 3, 5);
		work("first", 7, 4, 6);
		add("first", GRANTED, 7);

		assertThat(verdict()).isEqualTo(
				Verdict.ok("never two leaders at a time: 3 leaders one after the other, 4 lines in order, 0 refused"));
	}

	@Test
	void orderInWhichTheEventsOfDifferentNodesArriveDoesNotMatter() {
		work("second", 6, 2, 5);
		work("first", 5, 1, 0);
		work("second", 6, 3, 6);

		assertThat(verdict().passed()).isTrue();
		Collections.reverse(this.events);
		assertThat(verdict().passed()).isTrue();
	}

	@Test
	void lineThatTheLedgerRefusedAfterAPausePasses() {
		work("first", 5, 1, 0);
		work("second", 6, 2, 5);
		refusal("first", 5, 2, 5);
		work("second", 6, 3, 6);

		assertThat(verdict()).isEqualTo(
				Verdict.ok("never two leaders at a time: 2 leaders one after the other, 3 lines in order, 1 refused"));
	}

	@Test
	void leaderThatIsSureAfterItsSuccessorHasWorkedFailsAlsoIfTheLedgerRefusesIt() {
		work("first", 5, 1, 0);
		work("second", 6, 2, 5);
		refusal("first", 5, 3, 6);

		assertFailed("first (line 3, token 5) was certain that it leads after second (line 2, token 6) had led");
	}

	@Test
	void interleavedWorkFails() {
		work("first", 5, 1, 0);
		work("second", 6, 2, 5);
		work("first", 5, 3, 5);

		assertFailed("first (line 3, token 5) was added after second (line 2, token 6)");
	}

	@Test
	void linesThatTwoLeadersComputedFromTheSameStateFail() {
		work("first", 5, 1, 0);
		work("first", 5, 2, 5);
		work("second", 6, 2, 5);

		assertFailed("second (line 2, token 6) overwrote first (line 2, token 5)");
	}

	@Test
	void oneTokenOfTwoNodesFails() {
		work("first", 5, 1, 0);
		add("second", GRANTED, 5);

		assertFailed("second (token 5) and first (line 1, token 5) have the same token");
	}

	@Test
	void newsThatANodeNoLongerLeadsIsNoWork() {
		work("first", 5, 1, 0);
		work("second", 6, 2, 5);
		add("first", REVOKED, 5);

		assertThat(verdict().passed()).isTrue();
	}

	@Test
	void exitStatusesOfNodesAreNoTokens() {
		work("first", 5, 1, 0);
		add("second", Event.ENDED, 137);
		add("first", Event.ENDED, 137);

		assertThat(verdict().line()).startsWith("OK never two leaders at a time: 1 leaders ");
	}

	private void work(String node, long token, long line, long tokenRead) {
		add(node, WORKS, token, line, tokenRead);
	}

	private void refusal(String node, long token, long line, long tokenRead) {
		add(node, REFUSED, token, line, tokenRead);
	}

	private void add(String node, String what, long... numbers) {
		this.events.add(new Event(Instant.EPOCH, node, what, "", Arrays.stream(numbers).boxed().toList()));
	}

	private Verdict verdict() {
		return LeaderChecker.check(this.events);
	}

	private void assertFailed(String why) {
		assertThat(verdict()).isEqualTo(Verdict.failed("two leaders at a time: " + why));
	}

}
