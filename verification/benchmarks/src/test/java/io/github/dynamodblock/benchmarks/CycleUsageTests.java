/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CycleUsageTests {

	private final CycleUsage usage = new CycleUsage();

	private final ProcessUsage now = ProcessUsage.now();

	@Test
	void callsAreAMeanOfAllCyclesAndSpeedAMedianOfTurns() {
		turn(10, 20, 1_000_000_000L);
		turn(10, 20, 2_000_000_000L);
		turn(10, 23, 100_000_000L);
		assertThat(this.usage.calls()).isEqualTo(2.1);
		assertThat(this.usage.perSecond()).isEqualTo(10);
		assertThat(this.usage.turns()).isEqualTo(3);
	}

	@Test
	void theTimeOfACycleIsTheMedianOfCyclesAndNotOfTurns() {
		this.usage.addCycle(1);
		this.usage.addCycle(2);
		this.usage.addCycle(90);
		turn(3, 6, 93_000_000L);
		assertThat(this.usage.millis()).isEqualTo(2);
	}

	private void turn(int cycles, long calls, long nanos) {
		this.usage.addTurn(cycles, calls, nanos, this.now, this.now);
	}

}
