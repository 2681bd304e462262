/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.time.Duration;

import io.github.dynamodblock.faults.checker.Owner;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerSettingsTests {

	@Test
	void settingsSurviveTheWayThroughAProgramsArguments() {
		WorkerSettings settings = new WorkerSettings(new Owner(3, 2), LockKind.AWS, 4001, 4002, "locks", 20, 8,
				Duration.ofMillis(2500), 0.99, -7);
		assertThat(WorkerSettings.of(settings.arguments().toArray(String[]::new))).isEqualTo(settings);
	}

}
