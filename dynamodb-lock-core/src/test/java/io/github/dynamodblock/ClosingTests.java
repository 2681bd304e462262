/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.FaultyCalls.Injection;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
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

	@Test
	void releasesThatFailLeaveNoOtherLockHeldAndNoThreadAlive() throws Exception {
		LockClient client = client();
		// Together: a release is retried for as long as the close waits.
		Map<String, CallFault> failures = Map.of("denied", CallFault.denied(), "server error", CallFault.serverError(),
				"error", CallFault.thrown(() -> new AssertionError("thrown by the test")));
		List<Injection> failed = new ArrayList<>();
		for (String key : List.of("a", "b", "denied", "server error", "error", "c", "d")) {
			client.acquire(key);
		}
		failures.forEach((key, failure) -> failed
			.add(this.faults.inject(failure, LockCalls.ofKey(key).and(LockCalls::isRelease))));
		client.close();
		assertThat(failed).extracting(Injection::count).allMatch((count) -> count > 0);
		for (String key : List.of("a", "b", "c", "d")) {
			assertThat(this.other.find(key).orElseThrow().isReleased()).as(key).isTrue();
		}
		for (String key : failures.keySet()) {
			assertThat(this.other.find(key).orElseThrow().isReleased()).as(key).isFalse();
		}
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
