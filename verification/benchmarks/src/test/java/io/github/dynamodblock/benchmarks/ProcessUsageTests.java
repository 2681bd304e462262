/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessUsageTests {

	@Test
	void preemptionsAreKnownWhereTheSystemCountsThem() {
		boolean counted = Files.exists(Path.of("/proc/thread-self/status"));
		assertThat(ProcessUsage.preemptionsOfThisThread().isPresent()).isEqualTo(counted);
	}

}
