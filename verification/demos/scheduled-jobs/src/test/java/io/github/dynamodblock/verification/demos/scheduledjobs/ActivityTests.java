/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.util.List;

import io.github.dynamodblock.verification.harness.Event;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.verification.demos.scheduledjobs.ObservedNode.BEGINS;
import static io.github.dynamodblock.verification.demos.scheduledjobs.ObservedNode.ENDS;
import static io.github.dynamodblock.verification.demos.scheduledjobs.ObservedNode.GIVES_UP;
import static io.github.dynamodblock.verification.demos.scheduledjobs.ObservedNode.MISSED;
import static io.github.dynamodblock.verification.demos.scheduledjobs.ObservedNode.STOPS;
import static io.github.dynamodblock.verification.demos.scheduledjobs.ObservedNode.WAITS;
import static io.github.dynamodblock.verification.demos.scheduledjobs.Sections.at;
import static io.github.dynamodblock.verification.demos.scheduledjobs.Sections.cutShort;
import static io.github.dynamodblock.verification.demos.scheduledjobs.Sections.section;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ActivityTests {

	private static final String JOB = Job.REPORT.key();

	private final Activity activity = new Activity();

	@Test
	void beginAndEndMakeASection() {
		add(1, "node-1", WAITS, "a", 0);
		add(2, "node-1", BEGINS, "a", 7);
		assertThat(this.activity.sections()).isEmpty();
		add(3, "node-1", ENDS, "a", 7);

		assertThat(this.activity.sections()).containsExactly(section("a", "node-1", 7, 2, 3));
	}

	@Test
	void workThatWasInterruptedIsCutShort() {
		add(2, "node-1", BEGINS, "a", 7);
		add(3, "node-1", STOPS, "a", 7);

		assertThat(this.activity.sections()).containsExactly(cutShort("a", "node-1", 7, 2, 3));
	}

	@Test
	void runHasTheTickAndTheAttemptOfItsJob() {
		runOutbox(20, 19.8, 19.9);

		assertThat(this.activity.sections()).extracting(Section::tick).containsExactly(at(20));
		assertThat(this.activity.sections()).extracting(Section::attempt).containsExactly(1);
	}

	@Test
	void jobIsQuietBetweenTheEndOfATickAndTheNextTick() {
		runOutbox(20, 19.8, 19.9);

		assertThat(isQuietAt(20.5)).isTrue();
	}

	@Test
	void jobIsNotQuietShortlyBeforeATick() {
		runOutbox(20, 19.8, 19.9);

		assertThat(isQuietAt(21.5)).isFalse();
	}

	@Test
	void jobWhoseTickHasNotRunIsNotQuiet() {
		runOutbox(18, 17.8, 17.9);

		assertThat(isQuietAt(20.5)).isFalse();
	}

	@Test
	void jobThatIsRunningIsNotQuiet() {
		runOutbox(20, 19.8, 19.9);
		add(20.1, "node-2", BEGINS, Job.OUTBOX.key(), 8);

		assertThat(isQuietAt(20.5)).isFalse();
	}

	@Test
	void jobWhoseLockMayNotBeReleasedIsNotQuiet() {
		runOutbox(20, 19.8, 20.1);

		assertThat(isQuietAt(20.5)).isFalse();
	}

	@Test
	void jobIsQuietAndHasRunThoughItsRunIsForgotten() {
		runOutbox(20, 19.8, 19.9);
		this.activity.forget();

		assertThat(this.activity.sections()).isEmpty();
		assertThat(isQuietAt(20.5)).isTrue();
		assertThat(this.activity.hasRun(Job.OUTBOX, at(19))).isTrue();
		assertThat(this.activity.hasRun(Job.OUTBOX, at(20))).isFalse();
	}

	@Test
	void missedTicksAreKeptUntilTheyAreForgotten() {
		Event missed = new Event(at(23), "node-1", MISSED, Job.OUTBOX.key(), List.of(0L, at(20).toEpochMilli()));
		runOutbox(22, 21.8, 21.9);

		assertThat(this.activity.add(missed)).isNull();
		assertThat(this.activity.missed()).containsExactly(new Tick(Job.OUTBOX.key(), at(20)));
		assertThat(isQuietAt(22.5)).as("the run of the next tick ended").isTrue();

		this.activity.forget();
		assertThat(this.activity.missed()).isEmpty();
	}

	private boolean isQuietAt(double seconds) {
		return this.activity.isQuiet(List.of(Job.OUTBOX), at(seconds));
	}

	private void runOutbox(double tick, double begin, double end) {
		List<Long> numbers = List.of(7L, at(tick).toEpochMilli(), 1L);
		this.activity.add(new Event(at(begin), "node-1", BEGINS, Job.OUTBOX.key(), numbers));
		this.activity.add(new Event(at(end), "node-1", ENDS, Job.OUTBOX.key(), numbers));
	}

	@Test
	void overlapOfTwoNodesIsKeptAsItWasReported() {
		add(2, "node-1", BEGINS, "a", 7);
		add(2.5, "node-2", BEGINS, "a", 8);
		add(3, "node-1", ENDS, "a", 7);
		add(4, "node-2", ENDS, "a", 8);

		assertThat(this.activity.sections()).containsExactly(section("a", "node-1", 7, 2, 3),
				section("a", "node-2", 8, 2.5, 4));
	}

	@Test
	void sectionsOfANodeThatDiesEndWithIt() {
		add(1, "node-1", BEGINS, "a", 7);
		add(2, "node-1", BEGINS, "b", 8);
		add(2, "node-2", BEGINS, "c", 9);

		assertThat(this.activity.nodeEnded("node-1", at(3))).containsExactly(cutShort("a", "node-1", 7, 1, 3),
				cutShort("b", "node-1", 8, 2, 3));
		assertThat(this.activity.sections()).hasSize(2);
	}

	@Test
	void eventBeforeOfTheSameNodeAtTheSameLockIsReturned() {
		Event begin = event(20, "node-3", BEGINS, "account:bob", 1);

		assertThat(this.activity.add(begin)).isNull();
		assertThat(this.activity.add(event(21, "node-3", ENDS, "account:bob", 1))).isEqualTo(begin);
	}

	@Test
	void secondBeginOfOneNodeIsRefused() {
		add(1, "node-1", BEGINS, "a", 7);

		assertThatIllegalArgumentException().isThrownBy(() -> add(2, "node-1", BEGINS, "a", 8))
			.withMessageContaining("node-1 BEGINS a");
	}

	@Test
	void endWithoutBeginIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> add(1, "node-1", ENDS, "a", 7))
			.withMessageContaining("node-1 ended a");
	}

	@Test
	void endWithAnotherTokenIsRefused() {
		add(1, "node-1", BEGINS, "a", 7);

		assertThatIllegalArgumentException().isThrownBy(() -> add(2, "node-1", ENDS, "a", 8))
			.withMessageContaining("token 8");
	}

	private void add(double seconds, String node, String what, String key, long token) {
		this.activity.add(event(seconds, node, what, key, token));
	}

	private static Event event(double seconds, String node, String what, String key, long token) {
		return new Event(at(seconds), node, what, key, List.of(token));
	}

	/** Each test begins at second 15, when node-2 is to be killed, or changes that. */
	@Nested
	class NodeToKill {

		@BeforeEach
		void nodeTwoIsInTheMiddle() {
			add(13, "node-2", BEGINS, JOB, 1);
			add(14.4, "node-1", WAITS, "account:alice", 0);
			add(14.6, "node-2", BEGINS, "account:alice", 1);
		}

		@Test
		void nodeInTheMiddleOfBothIsFound() {
			assertThat(ActivityTests.this.activity.nodeToKill(at(15))).contains("node-2");
		}

		@Test
		void shortRunOfTheJobDoesNotCount() {
			add(13.2, "node-2", ENDS, JOB, 1);
			add(14.1, "node-2", BEGINS, JOB, 2);

			assertNoNodeAt(15);
		}

		@Test
		void endedJobDoesNotCount() {
			add(14.9, "node-2", ENDS, JOB, 1);

			assertNoNodeAt(15);
		}

		@Test
		void longRunThatMayEndSoonDoesNotCount() {
			assertNoNodeAt(16.5);
		}

		@Test
		void lockThatWasJustTakenDoesNotCount() {
			assertNoNodeAt(14.8);
		}

		@Test
		void lockOfAnotherNodeDoesNotCount() {
			add(14.65, "node-2", ENDS, "account:alice", 1);
			add(14.7, "node-1", BEGINS, "account:alice", 2);
			add(14.7, "node-2", WAITS, "account:alice", 0);

			assertNoNodeAt(15);
		}

		@Test
		void lockThatNoNodeWaitsForDoesNotCount() {
			add(14.7, "node-1", GIVES_UP, "account:alice", 0);
			add(14.4, "node-3", WAITS, "account:bob", 0);

			assertNoNodeAt(15);
		}

		@Test
		void nodeThatHasEndedIsNotFound() {
			ActivityTests.this.activity.nodeEnded("node-2", at(14.9));

			assertNoNodeAt(15);
		}

		private void assertNoNodeAt(double seconds) {
			assertThat(ActivityTests.this.activity.nodeToKill(at(seconds))).isEmpty();
		}

	}

}
