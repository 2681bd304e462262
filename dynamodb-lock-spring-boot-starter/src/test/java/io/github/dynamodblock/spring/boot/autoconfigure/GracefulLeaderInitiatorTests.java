/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.support.locks.DefaultLockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

class GracefulLeaderInitiatorTests {

	/** Longer than anybody waits here. */
	private static final long PHASE = TimeUnit.MINUTES.toMillis(5);

	private static final int STATUS = 42;

	/** A leader that ends its process, as of {@code main}. */
	public static void main(String[] arguments) {
		GenericApplicationContext context = contextOf((self) -> System.exit(STATUS));
		context.registerShutdownHook();
		context.refresh();
	}

	@Test
	void aLeaderMayEndItsProcess() throws IOException, InterruptedException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				GracefulLeaderInitiatorTests.class.getName())
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("ended").isTrue();
			assertThat(process.exitValue()).isEqualTo(STATUS);
		}
		finally {
			process.destroyForcibly();
		}
	}

	@Test
	void aLeaderMayCloseItsContextAndIsNotInterruptedByThat() throws Exception {
		CompletableFuture<String> outcome = new CompletableFuture<>();
		try (GenericApplicationContext context = contextOf((self) -> {
			self.close();
			outcome.complete(self.isActive() + " " + Thread.currentThread().isInterrupted());
		})) {
			CompletableFuture<Boolean> closedUndisturbed = new CompletableFuture<>();
			context.registerBean(AutoCloseable.class,
					() -> () -> closedUndisturbed.complete(!Thread.currentThread().isInterrupted()));
			context.refresh();
			assertThat(outcome.get(1, TimeUnit.MINUTES)).isEqualTo("false false");
			assertThat(closedUndisturbed.get(1, TimeUnit.MINUTES)).isTrue();
		}
	}

	@Test
	void anInterruptFromElsewhereIsKept() throws Exception {
		CompletableFuture<Boolean> kept = new CompletableFuture<>();
		try (GenericApplicationContext context = contextOf((self) -> {
			Thread.currentThread().interrupt();
			self.close();
			kept.complete(Thread.currentThread().isInterrupted());
		})) {
			context.refresh();
			assertThat(kept.get(1, TimeUnit.MINUTES)).isTrue();
		}
	}

	/** With an initiator whose leader does this. */
	private static GenericApplicationContext contextOf(Consumer<GenericApplicationContext> work) {
		GenericApplicationContext context = new GenericApplicationContext();
		context.registerBean("lifecycleProcessor", DefaultLifecycleProcessor.class, () -> {
			DefaultLifecycleProcessor processor = new DefaultLifecycleProcessor();
			processor.setTimeoutPerShutdownPhase(PHASE);
			return processor;
		});
		context.registerBean(GracefulLeaderInitiator.class,
				() -> new GracefulLeaderInitiator(new DefaultLockRegistry(), new Worker(() -> work.accept(context))));
		return context;
	}

	private static final class Worker extends AbstractCandidate {

		private final Runnable work;

		Worker(Runnable work) {
			this.work = work;
		}

		@Override
		public void onGranted(Context context) {
			this.work.run();
		}

		@Override
		public void onRevoked(Context context) {
		}

	}

}
