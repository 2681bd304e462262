/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.io.IOException;

import io.github.dynamodblock.faults.checker.Checker;
import io.github.dynamodblock.faults.checker.Finding;
import io.github.dynamodblock.faults.checker.Grant;
import io.github.dynamodblock.faults.checker.History;
import io.github.dynamodblock.faults.checker.Hold;
import io.github.dynamodblock.faults.checker.Loss;
import io.github.dynamodblock.faults.checker.Owner;
import io.github.dynamodblock.faults.checker.RemoteHistory;
import io.github.dynamodblock.faults.checker.RemoteResources;
import io.github.dynamodblock.faults.checker.Rule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoordinatorTests {

	private final History history = new History();

	private final Coordinator coordinator = new Coordinator(this.history, 2);

	CoordinatorTests() throws IOException {
	}

	@AfterEach
	void close() throws IOException {
		this.coordinator.close();
	}

	@Test
	void reportsOfAnAttemptBecomeHistory() throws IOException {
		RemoteHistory reports = this.coordinator.history();
		reports.granted(new Grant("a", new Owner(0, 1), 1, 5L, 1, 2, 10, false));
		reports.seenHeld("a", 3, 4);
		reports.lost(new Loss("a", "EXPIRED", 20, 12));
		reports.lost(new Loss("a", "EXPIRED", 21, 12));
		reports.releasing("a");
		reports.ended("a", new Hold.Ending(22, 23, "LOST"));
		reports.lossSeen("a", 23);
		reports.count("attempts");
		reports.found(Rule.WORKER, "the workload fell");
		assertThat(Checker.check(this.history)).extracting(Finding::rule)
			.containsExactly(Rule.WORKER, Rule.LOSS_TOLD_ONCE);
		assertThat(this.history.counts()).containsEntry("attempts", 1L);
		assertThat(this.history.holds()).singleElement().satisfies((hold) -> assertThat(hold.lastKnown()).isEqualTo(4));
	}

	@Test
	void resourcesAnswerQuestions() throws IOException {
		RemoteResources resources = this.coordinator.resources();
		assertThat(resources.claim(1, 5)).isTrue();
		assertThat(resources.claim(1, 4)).isFalse();
		RemoteResources.Values read = resources.read(1);
		assertThat(resources.increment(1, "a", 5L, true, read, true)).isTrue();
		assertThat(resources.increment(1, "b", 4L, false, read, true)).isFalse();
		RemoteResources.Values after = resources.read(1);
		assertThat(after.fenced()).isEqualTo(1);
		assertThat(after.plain()).isEqualTo(1);
	}

}
