/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.FaultyCalls.Injection;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Heartbeats that fail in unusual ways, and a log that fails with them.
 */
@Order(1)
class HeartbeatFailureTests {

	/** The threads of this test's client have names that begin so. */
	private static final String THREADS = "heartbeat-failure-test";

	private final TableSchema table = TestDynamoDb.newTable();

	private final FaultyCalls faults = new FaultyCalls();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.faults);

	private final List<String> events = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Boolean> recovered = new CompletableFuture<>();

	private final LockClient client = LockClient.builder(this.dynamoDb)
		.tableName(this.table.tableName())
		.leaseDuration(Duration.ofSeconds(6))
		.waitTime(Duration.ofMinutes(1))
		.threadFactory(HeartbeatFailureTests::thread)
		.listener(new LockListener() {
			@Override
			public void onExpiring(HeldLock lock) {
				HeartbeatFailureTests.this.events.add("expiring");
				HeartbeatFailureTests.this.recovered.join();
				throw new IllegalStateException("thrown by the test's listener");
			}

			@Override
			public void onRecovered(HeldLock lock) {
				HeartbeatFailureTests.this.events.add("recovered");
			}

			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				HeartbeatFailureTests.this.events.add("lost " + reason);
			}
		})
		.build();

	@AfterEach
	void close() {
		this.recovered.complete(true);
		this.client.close();
		this.dynamoDb.close();
	}

	static Stream<Supplier<Throwable>> whatHeartbeatsThrow() {
		return Stream.of(() -> new OutOfMemoryError("thrown by the test"), Speechless::new);
	}

	@ParameterizedTest
	@MethodSource("whatHeartbeatsThrow")
	void aHeartbeatIsRetriedAfterABackOffWhateverItThrows(Supplier<Throwable> thrown) throws Exception {
		HeldLock lock = this.client.acquire("k");
		Injection failed = this.faults.inject(CallFault.thrown(thrown), LockCalls::isHeartbeat);
		assertWarningPasses(lock, failed);
	}

	@Test
	void aLogThatThrowsEndsNeitherHeartbeatsNorCallbacks() throws Exception {
		LoggerContext log = (LoggerContext) LoggerFactory.getILoggerFactory();
		ThrowingLog throwing = new ThrowingLog();
		log.addTurboFilter(throwing);
		try {
			HeldLock lock = this.client.acquire("k");
			Injection failed = this.faults.inject(CallFault.serverError(), LockCalls::isHeartbeat);
			assertWarningPasses(lock, failed);
			assertThat(throwing.threw).isTrue();
		}
		finally {
			log.getTurboFilterList().remove(throwing);
		}
	}

	private void assertWarningPasses(HeldLock lock, Injection failed) {
		await().until(() -> this.events.contains("expiring") && failed.count() > 1);
		assertThat(failed.count()).isLessThanOrEqualTo(40);
		failed.stop();
		awaitAHeartbeat(lock);
		this.recovered.complete(true);
		await().until(() -> this.events.contains("recovered"));
		awaitAHeartbeat(lock);
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.events).containsExactly("expiring", "recovered");
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
	}

	private static void awaitAHeartbeat(HeldLock lock) {
		String version = lock.record().recordVersionNumber();
		await().until(() -> !lock.record().recordVersionNumber().equals(version));
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, THREADS);
		thread.setDaemon(true);
		thread.setUncaughtExceptionHandler((dying, thrown) -> {
		});
		return thread;
	}

	/**
	 * An exception that cannot even be printed.
	 */
	private static final class Speechless extends RuntimeException {

		private static final long serialVersionUID = 1L;

		@Override
		public String getMessage() {
			throw new IllegalStateException("thrown instead of a message");
		}

		@Override
		public String toString() {
			throw new IllegalStateException("thrown instead of a text");
		}

	}

	/**
	 * A log on a full disk, as it were, for the threads of this test's client.
	 */
	private static final class ThrowingLog extends TurboFilter {

		private volatile boolean threw;

		@Override
		public FilterReply decide(Marker marker, Logger logger, Level level, String format,
				Object @Nullable [] arguments, @Nullable Throwable thrown) {
			if (Thread.currentThread().getName().equals(THREADS)
					&& logger.getName().startsWith("io.github.dynamodblock")) {
				this.threw = true;
				throw new IllegalStateException("The test's log cannot write");
			}
			return FilterReply.NEUTRAL;
		}

	}

}
