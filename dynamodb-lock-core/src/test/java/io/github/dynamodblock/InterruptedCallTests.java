/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.Hang;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Callers that are interrupted while they make a call: by other threads, and by the SDK's
 * timer, which ends a call at its limit by interrupting its thread.
 */
class InterruptedCallTests {

	private final FaultyCalls faults = new FaultyCalls();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClientWithoutRetries(this.faults);

	private final LockClient client = LockClient.builder(this.dynamoDb)
		.tableName(TestDynamoDb.newTable().tableName())
		.leaseDuration(Duration.ofSeconds(2))
		.build();

	@AfterEach
	void close() {
		this.client.close();
		this.dynamoDb.close();
	}

	@Test
	void aCallThatEndsAtItsLimitIsNoInterruptOfItsCaller() throws Exception {
		try (Hang hang = Hang.untilTheirLimit()) {
			this.faults.inject(hang, LockCalls::isClaim);
			Caller<Boolean> caller = start(() -> {
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.client.tryAcquire("k"));
				return Thread.currentThread().isInterrupted();
			});
			assertThat(caller.result()).isFalse();
		}
	}

	@Test
	void anInterruptDuringACallTakesEffectWhenTheCallEnds() throws Exception {
		try (Hang hang = Hang.beyondTheirLimit()) {
			this.faults.inject(hang, LockCalls::isClaim, 1);
			Caller<Boolean> caller = start(() -> {
				assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.client.acquire("k"));
				return Thread.currentThread().isInterrupted();
			});
			await().until(() -> hang.hanging() == 1);
			caller.thread.interrupt();
			assertThat(caller.thread.isAlive()).isTrue();
			hang.close();
			assertThat(caller.result()).isFalse();
		}
		// Whether or not the call took the lock, it is free again.
		assertThat(this.client.acquire("k").release()).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aReleaseWhoseCallIsInterruptedIsRepeatedAndKeepsTheFlag() throws Exception {
		HeldLock lock = this.client.acquire("k");
		try (Hang hang = Hang.untilTheirLimit()) {
			this.faults.inject(hang, LockCalls::isRelease, 1);
			Caller<Boolean> caller = start(() -> {
				assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
				return Thread.currentThread().isInterrupted();
			});
			await().until(() -> hang.hanging() == 1);
			caller.thread.interrupt();
			assertThat(caller.result()).isTrue();
		}
	}

	/** Starts a caller on a thread that is no worker of a pool, and makes its calls. */
	private static <T> Caller<T> start(Callable<T> action) {
		FutureTask<T> task = new FutureTask<>(action);
		Thread thread = new Thread(task, "caller");
		thread.start();
		return new Caller<>(thread, task);
	}

	private record Caller<T>(Thread thread, FutureTask<T> task) {

		T result() throws Exception {
			try {
				return this.task.get(30, TimeUnit.SECONDS);
			}
			catch (ExecutionException ex) {
				throw new AssertionError("The caller failed", ex.getCause());
			}
		}

	}

}
