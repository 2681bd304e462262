/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.io.IOException;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledOnOs(OS.LINUX)
class UptimeTests {

	@Test
	void everyReadingIsThePresentOne() throws IOException {
		long before = SystemClocks.uptime();
		Awaitility.await().until(() -> SystemClocks.uptime() > before);
	}

	@Test
	void runsWithTheMonotonicClockWhileTheMachineIsAwake() throws IOException {
		long uptimeBefore = SystemClocks.uptime();
		long monotonicBefore = System.nanoTime();
		Awaitility.await().until(() -> System.nanoTime() - monotonicBefore > Duration.ofSeconds(1).toNanos());
		long monotonic = System.nanoTime() - monotonicBefore;
		assertThat(SystemClocks.uptime() - uptimeBefore).isGreaterThan(monotonic - Duration.ofMillis(20).toNanos());
	}

	@Test
	void anInterruptedThreadReadsIt() throws IOException {
		Thread.currentThread().interrupt();
		try {
			assertThat(SystemClocks.uptime()).isPositive();
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
	}

}
