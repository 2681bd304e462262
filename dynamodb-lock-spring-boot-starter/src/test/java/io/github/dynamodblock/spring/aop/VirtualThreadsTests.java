/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.Gate;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.AsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@EnabledForJreRange(min = JRE.JAVA_21)
@ExtendWith(DynamoDbExtension.class)
class VirtualThreadsTests {

	/** More than any machine has carriers. */
	private static final int CALLERS = 100;

	@Test
	void manyVirtualThreadsWaitForOneLockAndNoneKeepsItsCarrier(EmbeddedDynamoDb dynamoDb, @TempDir Path directory) {
		node(dynamoDb).run((context) -> {
			AsyncTaskExecutor executor = context.getBean(AsyncTaskExecutor.class);
			Counter counter = context.getBean(Counter.class);
			LockClient client = context.getBean(LockClient.class);
			Gate opened = new Gate();
			opened.open();
			// Classes are initialised by then, which pins a thread too.
			executor.submitCompletable(() -> counter.add(opened)).get();
			Gate gate = new Gate();
			Path file = directory.resolve("pinned.jfr");
			try (Recording recording = new Recording()) {
				recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
				recording.start();
				List<CompletableFuture<Integer>> calls = Stream.generate(() -> counter)
					.limit(CALLERS)
					.map((each) -> executor.submitCompletable(() -> each.add(gate)))
					.toList();
				gate.awaitEntered();
				// All but one wait at once, which they cannot if each keeps a carrier.
				await().atMost(Duration.ofSeconds(30)).until(() -> client.waiting().size() == CALLERS - 1);
				gate.open();
				assertThat(calls).allSatisfy((call) -> assertThat(call).succeedsWithin(Duration.ofMinutes(2)));
				recording.dump(file);
			}
			assertThat(counter.platformThreads()).isZero();
			assertThat(counter.overlaps()).isZero();
			assertThat(counter.count()).isEqualTo(CALLERS + 1);
			assertThat(pinnedByUs(file)).isEmpty();
		});
	}

	@Test
	void bodiesOfReactiveMethodsStartInVirtualThreads(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Counter counter = context.getBean(Counter.class);
			Gate opened = new Gate();
			opened.open();
			assertThat(counter.addLater(opened).block(Duration.ofMinutes(1))).isZero();
			assertThat(counter.platformThreads()).isZero();
			assertThat(counter.count()).isOne();
		});
	}

	/** Where our code, and nothing that it calls but the JDK, kept a carrier. */
	private static List<RecordedEvent> pinnedByUs(Path file) throws IOException {
		return RecordingFile.readAllEvents(file)
			.stream()
			.filter((event) -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
			.filter((event) -> event.getStackTrace() != null && event.getStackTrace()
				.getFrames()
				.stream()
				.map(VirtualThreadsTests::type)
				.filter((type) -> !type.matches("(java|jdk|sun)\\..*"))
				.findFirst()
				.filter((type) -> type.startsWith("io.github.dynamodblock."))
				.isPresent())
			.toList();
	}

	private static String type(RecordedFrame frame) {
		return frame.getMethod().getType().getName();
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
			.withBean(Counter.class)
			.withPropertyValues("spring.threads.virtual.enabled=true", "dynamodb-lock.wait-time=2m");
	}

	public static class Counter {

		private final AtomicInteger platformThreads = new AtomicInteger();

		private final AtomicInteger overlaps = new AtomicInteger();

		private final AtomicInteger inside = new AtomicInteger();

		/** Guarded by the lock alone. */
		private int count;

		@DistributedLock("counter")
		public int add(Gate gate) throws ReflectiveOperationException {
			this.overlaps.addAndGet(this.inside.getAndIncrement());
			// The tests' Java 17 does not know it.
			if (!(boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread())) {
				this.platformThreads.incrementAndGet();
			}
			gate.pass();
			this.count++;
			return this.inside.decrementAndGet();
		}

		@DistributedLock("counter")
		public Mono<Integer> addLater(Gate gate) {
			return Mono.fromCallable(() -> add(gate));
		}

		public int platformThreads() {
			return this.platformThreads.get();
		}

		public int overlaps() {
			return this.overlaps.get();
		}

		public int count() {
			return this.count;
		}

	}

}
