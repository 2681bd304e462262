/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LateReleaseTests {

	@Test
	void theLockClientLeavesTheNextOwnersLock() throws Exception {
		assertThat(LateRelease.effect(SharedDatabase.INSTANCE, Libraries.LOCKS, "late-release"))
			.isEqualTo(Measure.NEITHER);
	}

	@Test
	void shedLocksProviderFreesTheNextOwnersLock() throws Exception {
		assertThat(LateRelease.effect(SharedDatabase.INSTANCE, Libraries.SHEDLOCK, "late-release-shedlock"))
			.isEqualTo(Measure.FREED);
	}

}
