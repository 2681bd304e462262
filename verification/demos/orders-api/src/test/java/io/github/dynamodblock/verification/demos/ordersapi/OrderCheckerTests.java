/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.util.List;
import java.util.Map;

import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.verification.demos.ordersapi.Stored.State;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OrderCheckerTests {

	private static final List<Answer> ANSWERS = List.of(added(1, 1, 100, 11L), added(1, 2, 50, 12L),
			added(2, 1, 30, 7L), new Answer.Refused(2));

	private static final Map<Long, State> ACKNOWLEDGED = Map.of(1L, new State(2, 150), 2L, new State(1, 30));

	@Test
	void agreementPassesAndRefusedRequestsChangeNothing() {
		Verdict verdict = check(ANSWERS, ACKNOWLEDGED, ACKNOWLEDGED);

		assertThat(verdict.passed()).isTrue();
		assertThat(verdict.line()).isEqualTo("OK requests: 4, added: 3, refused: 1, lost updates: 0; "
				+ "the numbers of all orders (2) agree in the database and on all nodes (1)");
	}

	@Test
	void lostUpdateFails() {
		Map<Long, State> stored = Map.of(1L, new State(1, 50), 2L, new State(1, 30));

		assertFails(check(ANSWERS, stored, stored), "lost updates: 1 of 3, orders with wrong numbers: 1: "
				+ "order 1 has 1 items, 50 cents, not 2 items, 150 cents");
	}

	@Test
	void sumThatIsWrongFailsAlsoIfTheNumberOfItemsIsRight() {
		Map<Long, State> stored = Map.of(1L, new State(2, 151), 2L, new State(1, 30));

		assertFails(check(ANSWERS, stored, stored), "order 1 has 2 items, 151 cents, not 2 items, 150 cents");
	}

	@Test
	void updateThatNoNodeAcknowledgedFails() {
		Map<Long, State> stored = Map.of(1L, new State(2, 150), 2L, new State(2, 60));

		assertFails(check(ANSWERS, stored, stored), "order 2 has 2 items, 60 cents, not 1 items, 30 cents");
	}

	@Test
	void orderThatIsMissingFails() {
		Map<Long, State> stored = Map.of(1L, new State(2, 150));

		assertFails(check(ANSWERS, stored, stored), "lost updates: 1 of 3");
	}

	@Test
	void nodeThatAnswersOtherwiseThanTheDatabaseFails() {
		Map<Long, State> ofNode = Map.of(1L, new State(1, 100), 2L, new State(1, 30));

		assertFails(check(ANSWERS, ACKNOWLEDGED, ofNode),
				"node-1 answers that order 1 has 1 items, 100 cents, but the database has 2 items, 150 cents");
	}

	@Test
	void failedRequestFailsAlsoIfTheNumbersAgree() {
		List<Answer> answers = List.of(added(1, 1, 100, 11L), new Answer.Failed(1, "node-1 answered 500"));
		Map<Long, State> stored = Map.of(1L, new State(1, 100));

		assertFails(check(answers, stored, stored),
				"failed requests: 1; it is unknown what they changed. The first one was for order 1: node-1 answered 500");
	}

	@Test
	void tokenThatDoesNotGrowWithTheItemsFails() {
		List<Answer> answers = List.of(added(1, 2, 50, 11L), added(1, 1, 100, 12L));
		Map<Long, State> stored = Map.of(1L, new State(2, 150));

		assertFails(check(answers, stored, stored), "order 1 had item 1 under token 12, and item 2 under token 11");
	}

	@Test
	void agreementWithoutALockPasses() {
		List<Answer> answers = List.of(added(1, 1, 100, null), added(1, 2, 50, null));
		Map<Long, State> stored = Map.of(1L, new State(2, 150));

		assertThat(check(answers, stored, stored).passed()).isTrue();
	}

	@Test
	void runInWhichNothingWasAddedFails() {
		Map<Long, State> stored = Map.of(1L, State.EMPTY);

		assertFails(check(List.of(new Answer.Refused(1)), stored, stored), "no item was added, so nothing was tested");
	}

	private static Verdict check(List<Answer> answers, Map<Long, State> database, Map<Long, State> node) {
		return OrderChecker.check(answers, new Stored("database", database), List.of(new Stored("node-1", node)));
	}

	private static void assertFails(Verdict verdict, String why) {
		assertThat(verdict.passed()).isFalse();
		assertThat(verdict.line()).startsWith("FAILED ").contains(why);
	}

	private static Answer added(long order, int items, long cents, @Nullable Long token) {
		return new Answer.Added(order, cents, items, token);
	}

}
