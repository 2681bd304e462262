/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.time.Duration;

import io.github.dynamodblock.faults.Coordinator;
import io.github.dynamodblock.faults.checker.History;
import io.github.dynamodblock.faults.checker.Owner;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerSettingsTests {

	@Test
	void settingsSurviveTheWayThroughAProgramsArgument() throws Exception {
		History history = new History();
		try (Coordinator coordinator = new Coordinator(history, 1)) {
			WorkerSettings settings = new WorkerSettings(new Owner(3, 2), LockKind.AWS, coordinator.history(),
					coordinator.resources(), 4002, "locks", 20, 8, Duration.ofMillis(2500), 0.99, -7, true);
			WorkerSettings read = WorkerSettings.of(settings.argument());
			assertThat(read).isEqualTo(settings);
			read.history().count("reports");
			assertThat(history.counts()).containsEntry("reports", 1L);
		}
	}

}
