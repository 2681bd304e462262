/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.samples.leaderelection.ledger.Line;
import io.github.dynamodblock.samples.leaderelection.ledger.Line.What;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class VerdictTests {

	private final List<Entry> entries = new ArrayList<>();

	@Test
	void leadersOneAfterTheOtherPass() {
		granted("first", 5);
		work("first", 5, 1, true);
		work("first", 5, 2, true);
		granted("second", 6);
		work("second", 6, 4, true);
		granted("first", 7);
		work("first", 7, 6, true);

		assertThat(verdict()).isEqualTo(new Verdict(true,
				"OK never two leaders at a time: 3 leaders one after the other, 4 lines in order, 0 refused"));
	}

	@Test
	void lineThatTheLedgerRefusedAfterAPausePasses() {
		work("first", 5, 0, true);
		granted("second", 6);
		work("second", 6, 2, true);
		work("first", 5, 1, false);
		work("second", 6, 4, true);

		assertThat(verdict()).isEqualTo(new Verdict(true,
				"OK never two leaders at a time: 2 leaders one after the other, 3 lines in order, 1 refused"));
	}

	@Test
	void leaderThatIsSureAfterItsSuccessorHasWorkedFailsAlsoIfTheLedgerRefusesIt() {
		work("first", 5, 0, true);
		work("second", 6, 1, true);
		work("first", 5, 2, false);

		assertFailed("first (line 3, token 5) was sure to lead after second (line 2, token 6) had led");
	}

	@Test
	void leaderThatIsSureAfterItsSuccessorWasGrantedFails() {
		work("first", 5, 0, true);
		granted("second", 6);
		work("first", 5, 2, false);

		assertFailed("first (line 3, token 5) was sure to lead after second (line 2, token 6) had led");
	}

	@Test
	void interleavedWorkFails() {
		work("first", 5, 0, true);
		work("second", 6, 0, true);
		work("first", 5, 0, true);
		work("second", 6, 0, true);

		assertFailed("first (line 3, token 5) was done after second (line 2, token 6)");
	}

	@Test
	void smallerTokenOfALaterLeaderFails() {
		work("first", 6, 0, true);
		granted("second", 5);
		work("second", 5, 2, false);

		assertFailed("second (line 3, token 5) was sure to lead after first (line 1, token 6) had led");
	}

	@Test
	void oneTokenOfTwoNodesFails() {
		work("first", 5, 0, true);
		granted("second", 5);

		assertFailed("second (line 2, token 5) and first (line 1, token 5) have one token");
	}

	@Test
	void newsThatANodeLeadsNoMoreAreNoWork() {
		work("first", 5, 0, true);
		work("second", 6, 1, true);
		add(new Line("first", What.REVOKED, 5, 0, "EXPIRED"), true);

		assertThat(verdict().passed()).isTrue();
	}

	private void granted(String node, long token) {
		add(new Line(node, What.GRANTED, token, 0, "-"), true);
	}

	private void work(String node, long token, int read, boolean accepted) {
		add(new Line(node, What.WORK, token, read, "-"), accepted);
	}

	private void add(Line line, boolean accepted) {
		this.entries.add(new Entry(this.entries.size() + 1, Instant.EPOCH, line, accepted));
	}

	private Verdict verdict() {
		return Verdict.of(this.entries);
	}

	private void assertFailed(String why) {
		assertThat(verdict()).isEqualTo(new Verdict(false, "FAILED two leaders at a time: " + why));
	}

}
