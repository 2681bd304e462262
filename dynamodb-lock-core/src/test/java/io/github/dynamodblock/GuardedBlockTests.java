/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.FaultyCalls.Injection;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A block guarded by try-with-resources: its caller receives its result or exception,
 * also if the release fails.
 */
class GuardedBlockTests {

	private final TableSchema table = TestDynamoDb.newTable();

	/** Unlike those of other tests, so that their log is not taken for this one's. */
	private final String key = this.table.tableName();

	private final FaultyCalls faults = new FaultyCalls();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClientWithoutRetries(this.faults);

	private final LockClient client = LockClient.builder(this.dynamoDb)
		.tableName(this.table.tableName())
		.waitTime(Duration.ofMinutes(1))
		.build();

	@AfterEach
	void close() {
		this.client.close();
		this.dynamoDb.close();
	}

	@Test
	void aFailingReleaseDoesNotReplaceTheResult() throws Exception {
		Injection failed = this.faults.inject(CallFault.denied(), LockCalls::isRelease);
		assertThat(guarded(() -> "result")).isEqualTo("result");
		assertThat(failed.count()).isPositive();
	}

	@Test
	void aFailingReleaseDoesNotReplaceTheException() {
		Injection failed = this.faults.inject(CallFault.denied(), LockCalls::isRelease);
		IllegalStateException own = new IllegalStateException("thrown by the block");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> guarded(() -> {
			throw own;
		})).isSameAs(own).withNoCause();
		assertThat(own).hasNoSuppressedExceptions();
		assertThat(failed.count()).isPositive();
	}

	@Test
	void aFailingReleaseDoesNotReplaceTheResultOfExecute() throws Exception {
		Injection failed = this.faults.inject(CallFault.denied(), LockCalls::isRelease);
		String result = this.client.execute(this.key, (lock) -> "result");
		assertThat(result).isEqualTo("result");
		assertThat(failed.count()).isPositive();
	}

	@Test
	void aFailingReleaseDoesNotReplaceTheExceptionOfExecute() {
		Injection failed = this.faults.inject(CallFault.denied(), LockCalls::isRelease);
		IllegalStateException own = new IllegalStateException("thrown by the code");
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.client.execute(this.key, (lock) -> {
				throw own;
			}))
			.isSameAs(own);
		assertThat(own).hasNoSuppressedExceptions();
		assertThat(failed.count()).isPositive();
	}

	@Test
	void aReleaseThatTheServiceNeverAnswersDoesNotReplaceTheResult() throws Exception {
		Injection failed = this.faults.inject(CallFault.serverError(), LockCalls::isRelease);
		// As long as the release is retried, so that it has ended when the client closes.
		LockRequest request = LockRequest.of(this.key).leaseDuration(Duration.ofSeconds(10));
		assertThat(guarded(request, () -> "result")).isEqualTo("result");
		assertThat(failed.count()).isBetween(1, 50);
	}

	@Test
	void aFailedReleaseIsReportedToEveryCaller() throws Exception {
		HeldLock lock = this.client.acquire(this.key);
		this.faults.inject(CallFault.denied(), LockCalls::isRelease);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(lock::release)
			.withMessageContaining("'" + this.key + "'")
			.withMessageContaining("dynamodb:UpdateItem");
		assertThat(lock.isHeld()).isFalse();
	}

	@Test
	void anUnobservedLossIsLogged() throws Exception {
		Logger log = (Logger) LoggerFactory.getLogger("io.github.dynamodblock");
		Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
		AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent event) {
				if (event.getFormattedMessage().contains(GuardedBlockTests.this.key)) {
					events.add(event);
				}
			}

		};
		appender.start();
		log.addAppender(appender);
		try {
			guarded(() -> {
				deleteItem();
				return "result";
			});
			// Losses are logged by the threads that call listeners.
			await().until(() -> !events.isEmpty());
		}
		finally {
			log.detachAppender(appender);
		}
		assertThat(events).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.ERROR);
			assertThat(event.getFormattedMessage()).contains("was lost: its item was deleted from the lock table");
		});
	}

	private void deleteItem() {
		TestDynamoDb.client()
			.deleteItem((delete) -> delete.tableName(this.table.tableName())
				.key(Map.of("key", AttributeValue.fromS(this.key))));
	}

	private String guarded(Block block) throws Exception {
		return guarded(LockRequest.of(this.key), block);
	}

	private String guarded(LockRequest request, Block block) throws Exception {
		try (HeldLock lock = this.client.acquire(request)) {
			assertThat(lock.isHeld()).isTrue();
			return block.run();
		}
	}

	/**
	 * What is to happen under the lock.
	 */
	private interface Block {

		String run();

	}

}
