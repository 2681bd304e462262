/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LossSignalTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void endThreads() {
		this.threads.shutdownNow();
	}

	@Test
	void aThreadIsNotInterruptedAfterItsWorkHasEnded() {
		for (int i = 0; i < 2000; i++) {
			CompletableFuture<Runnable> losing = new CompletableFuture<>();
			CompletableFuture<Void> lost = losing.thenAcceptAsync(Runnable::run, this.threads);
			LossSignal signal = new LossSignal(true);
			try (LossSignal.Interruption interruption = signal.interruptCurrentThread()) {
				losing.complete(() -> signal.future()
					.complete(new LockLostException(LockKey.of("job"), LossReason.EXPIRED, 1)));
				Thread.onSpinWait();
			}
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			assertThat(lost).succeedsWithin(LIMIT);
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
		}
	}

}
