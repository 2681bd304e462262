/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.verification.harness.Event;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HoldTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final List<Event> granted = new ArrayList<>();

	private final List<Event> releasing = new ArrayList<>();

	@Test
	void holdsThatFollowOneAnotherAreNoViolation() {
		hold("a", 1, 0, 10);
		hold("b", 2, 12, 20);
		hold("a", 3, 25, 30);

		List<Hold> holds = holds();
		assertThat(Hold.violations(holds)).isEmpty();
		assertThat(Hold.handOffs(holds)).containsExactly(Duration.ofMillis(2), Duration.ofMillis(5));
	}

	@Test
	void overlapIsAViolationAlsoWithAnEarlierHolderThanTheLast() {
		hold("a", 1, 0, 30);
		hold("b", 2, 10, 15);
		hold("c", 3, 20, 25);

		assertThat(Hold.violations(holds())).containsExactly(
				"b was granted the lock with token 2 while a held it with token 1",
				"c was granted the lock with token 3 while a held it with token 1");
		assertThat(ContentionCheck.outcome(this.granted, this.releasing).status()).isEqualTo(Outcome.Status.FAILED);
	}

	@Test
	void grantBesideALockThatWasNeverReleasedIsAViolation() {
		this.granted.add(event("a", LockNode.GRANTED, 1, 0));
		hold("b", 2, 10, 20);

		assertThat(Hold.violations(holds())).hasSize(1);
	}

	@Test
	void tokenThatDoesNotIncreaseIsAViolation() {
		hold("a", 2, 0, 10);
		hold("b", 2, 12, 20);

		assertThat(Hold.violations(holds()))
			.containsExactly("b was granted the lock with token 2 after a with token 2");
	}

	@Test
	void handOffsWithinAProcessDoNotCount() {
		hold("a", 1, 0, 10);
		hold("a", 2, 12, 20);

		assertThat(Hold.handOffs(holds())).isEmpty();
		assertThat(ContentionCheck.outcome(this.granted, this.releasing).summary())
			.startsWith("The lock passed from process to process only 0 times");
	}

	@Test
	void takeoverTooSoonTooLateOrWithAnOldTokenIsAViolation() {
		Event held = event("a", LockNode.GRANTED, 5, 0);

		assertThat(TakeoverCheck.violations(held, START, event("b", LockNode.GRANTED, 6, 3000))).isEmpty();
		assertThat(TakeoverCheck.violations(held, START, event("b", LockNode.GRANTED, 6, 100))).singleElement()
			.asString()
			.contains("sooner than the lease can have ended");
		assertThat(TakeoverCheck.violations(held, START, event("b", LockNode.GRANTED, 6, 10_000))).singleElement()
			.asString()
			.contains("only 10000 ms after the kill");
		assertThat(TakeoverCheck.violations(held, START, event("b", LockNode.GRANTED, 5, 3000))).singleElement()
			.asString()
			.contains("does not exceed 5");
	}

	private List<Hold> holds() {
		return Hold.pair(this.granted, this.releasing);
	}

	private void hold(String node, long token, long from, long to) {
		this.granted.add(event(node, LockNode.GRANTED, token, from));
		this.releasing.add(event(node, LockNode.RELEASING, token, to));
	}

	private static Event event(String node, String what, long token, long milliseconds) {
		return new Event(START.plusMillis(milliseconds), node, what, "lock", List.of(token));
	}

}
