/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.FaultyCalls.Injection;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Closing a client whose releases fail.
 */
@Order(1)
class ClosingTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private final FaultyCalls faults = new FaultyCalls();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClientWithoutRetries(this.faults);

	private final List<Thread> threads = new ArrayList<>();

	private final LockClient other = LockClient.builder(TestDynamoDb.client())
		.tableName(this.table.tableName())
		.build();

	@AfterEach
	void close() {
		this.other.close();
		this.dynamoDb.close();
	}

	static Stream<Named<CallFault>> failures() {
		return Stream.of(Named.of("denied", CallFault.denied()), Named.of("server error", CallFault.serverError()),
				Named.of("error", CallFault.thrown(() -> new AssertionError("thrown by the test"))));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void oneReleaseThatFailsLeavesNoOtherLockHeldAndNoThreadAlive(CallFault failure) throws Exception {
		LockClient client = client();
		for (String key : List.of("a", "b", "bad", "c", "d")) {
			client.acquire(key);
		}
		Injection failed = this.faults.inject(failure, LockCalls.ofKey("bad").and(LockCalls::isRelease));
		client.close();
		assertThat(failed.count()).isPositive();
		for (String key : List.of("a", "b", "c", "d")) {
			assertThat(this.other.find(key).orElseThrow().isReleased()).as(key).isTrue();
		}
		assertThat(this.other.find("bad").orElseThrow().isReleased()).isFalse();
		await().until(() -> this.threads.stream().noneMatch(Thread::isAlive));
	}

	@Test
	void aClientWhoseCloseDidNotReleaseEverythingTakesNothingMore() throws Exception {
		LockClient client = client();
		HeldLock lock = client.acquire("k");
		this.faults.inject(CallFault.denied(), LockCalls::isRelease);
		client.close();
		assertThat(lock.isHeld()).isFalse();
		assertThat(lock.lossReason()).hasValue(LossReason.CLOSED);
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> client.acquire("another"));
		assertThat(this.other.find("another")).isEmpty();
	}

	private LockClient client() {
		return LockClient.builder(this.dynamoDb)
			.tableName(this.table.tableName())
			.leaseDuration(Duration.ofSeconds(4))
			.waitTime(Duration.ofMinutes(1))
			.threadFactory(this::thread)
			.build();
	}

	private synchronized Thread thread(Runnable task) {
		Thread thread = new Thread(task, "closing-test-" + this.threads.size());
		thread.setDaemon(true);
		this.threads.add(thread);
		return thread;
	}

}
