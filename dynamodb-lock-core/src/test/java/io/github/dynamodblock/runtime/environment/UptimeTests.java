/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledOnOs(OS.LINUX)
class UptimeTests {

	private final Uptime uptime = new Uptime();

	@Test
	void everyReadingIsThePresentOne() throws IOException {
		long before = this.uptime.nanos();
		Awaitility.await().until(() -> this.uptime.nanos() > before);
	}

	@Test
	void runsWithTheMonotonicClockWhileTheMachineIsAwake() throws IOException {
		long uptimeBefore = this.uptime.nanos();
		long monotonicBefore = System.nanoTime();
		Awaitility.await().until(() -> System.nanoTime() - monotonicBefore > Duration.ofSeconds(1).toNanos());
		long monotonic = System.nanoTime() - monotonicBefore;
		assertThat(this.uptime.nanos() - uptimeBefore).isGreaterThan(monotonic - Duration.ofMillis(20).toNanos());
	}

	@Test
	void noFileStaysOpenOnceItIsClosed() throws IOException {
		long before = this.uptime.nanos();
		assertThat(this.uptime).extracting("open").doesNotHaveToString("null");
		this.uptime.close();
		assertThat(this.uptime).extracting("open").hasToString("null");
		assertThat(this.uptime.nanos()).isGreaterThanOrEqualTo(before);
		assertThat(this.uptime).extracting("open").hasToString("null");
	}

	@Test
	void readersAtTheSameTimeDoNotDisturbEachOther() throws Exception {
		long before = this.uptime.nanos();
		ExecutorService readers = Executors.newFixedThreadPool(8);
		try {
			List<Callable<Boolean>> tasks = IntStream.range(0, 2_000)
				.<Callable<Boolean>>mapToObj((number) -> () -> this.uptime.nanos() >= before)
				.toList();
			for (Future<Boolean> notBefore : readers.invokeAll(tasks)) {
				assertThat(notBefore.get()).isTrue();
			}
		}
		finally {
			readers.shutdownNow();
		}
	}

}
