/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import io.github.dynamodblock.samples.scheduledjobs.journal.Event;
import io.github.dynamodblock.samples.scheduledjobs.journal.Event.What;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.samples.scheduledjobs.quickstart.Sections.JOB;
import static io.github.dynamodblock.samples.scheduledjobs.quickstart.Sections.at;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each test begins at second 15, when node-2 should be killed, or changes what makes it
 * so.
 */
class StageTests {

	private final Stage stage = new Stage(JOB);

	@BeforeEach
	void nodeTwoIsInTheMiddle() {
		add(10, "node-2", What.BEGINS, JOB);
		add(14.4, "node-1", What.WAITS, "account:alice");
		add(14.6, "node-2", What.BEGINS, "account:alice");
	}

	@Test
	void nodeInTheMiddleOfBothIsFound() {
		assertThat(this.stage.nodeToKill(at(15))).contains("node-2");
	}

	@Test
	void shortRunOfTheJobDoesNotCount() {
		add(12.5, "node-2", What.ENDS, JOB);
		add(13, "node-2", What.BEGINS, JOB);

		assertThat(this.stage.nodeToKill(at(15))).isEmpty();
	}

	@Test
	void endedJobDoesNotCount() {
		add(14.9, "node-2", What.ENDS, JOB);

		assertThat(this.stage.nodeToKill(at(15))).isEmpty();
	}

	@Test
	void lockThatMayEndSoonDoesNotCount() {
		assertThat(this.stage.nodeToKill(at(15.36))).isEmpty();
	}

	@Test
	void lockThatWasJustTakenDoesNotCount() {
		assertThat(this.stage.nodeToKill(at(14.8))).isEmpty();
	}

	@Test
	void lockOfAnotherNodeDoesNotCount() {
		add(14.5, "node-2", What.WAITS, "account:alice");
		add(14.6, "node-1", What.BEGINS, "account:alice");

		assertThat(this.stage.nodeToKill(at(15))).isEmpty();
	}

	@Test
	void lockThatNobodyWaitsForDoesNotCount() {
		add(14.7, "node-1", What.GOES_WITHOUT, "account:alice");
		add(14.4, "node-3", What.WAITS, "account:bob");

		assertThat(this.stage.nodeToKill(at(15))).isEmpty();
	}

	@Test
	void nodeThatHasGoneIsNotFound() {
		this.stage.nodeEnded("node-2");

		assertThat(this.stage.nodeToKill(at(15))).isEmpty();
	}

	@Test
	void eventBeforeAtTheSamePlaceIsGivenBack() {
		Event begin = new Event(at(20), "node-3", What.BEGINS, "account:bob", 1);
		Event end = new Event(at(21), "node-3", What.ENDS, "account:bob", 1);

		assertThat(this.stage.add(begin)).isNull();
		assertThat(this.stage.add(end)).isEqualTo(begin);
	}

	private void add(double seconds, String node, What what, String key) {
		this.stage.add(new Event(at(seconds), node, what, key, 1));
	}

}
