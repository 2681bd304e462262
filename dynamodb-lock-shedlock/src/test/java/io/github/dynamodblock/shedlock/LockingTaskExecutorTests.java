/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockingTaskExecutor.TaskResult;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * ShedLock's own executor runs tasks under locks of this provider.
 */
@Timeout(120)
class LockingTaskExecutorTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final TestTable table = new TestTable();

	private final TestTable.Access access = new TestTable.Access();

	private final LockClient client = this.table.newClient(this.access);

	private final LockingTaskExecutor executor = new DefaultLockingTaskExecutor(new DynamoDbLockProvider(this.client));

	private final LockingTaskExecutor otherExecutor = new DefaultLockingTaskExecutor(
			new DynamoDbLockProvider(this.table.newClient()));

	@AfterEach
	void close() throws Exception {
		this.access.deny(false);
		this.table.close();
	}

	private static LockConfiguration job(Duration atMost) {
		return new LockConfiguration(Instant.now(), "job", atMost, Duration.ZERO);
	}

	private static TaskResult<String> run(LockingTaskExecutor executor) {
		try {
			return executor.executeWithLock(() -> "done", job(HOUR));
		}
		catch (Throwable ex) {
			throw new AssertionError(ex);
		}
	}

	@Test
	void aTaskRunsUnderItsLockAndNoOtherNodeRunsItMeanwhile() throws Throwable {
		TaskResult<TaskResult<String>> outer = this.executor.executeWithLock(() -> {
			LockAssert.assertLocked();
			assertThat(this.client.holds("shedlock:job")).isTrue();
			// Within the lock of the same name, the executor asks no provider.
			return new DefaultLockingTaskExecutor(new DynamoDbLockProvider(this.table.newClient()))
				.executeWithLock(() -> "nested", job(HOUR));
		}, job(HOUR));
		assertThat(outer.getResult()).isNotNull().extracting(TaskResult::getResult).isEqualTo("nested");
		AtomicInteger refused = new AtomicInteger();
		this.executor.executeWithLock((LockingTaskExecutor.Task) () -> {
			Thread other = new Thread(() -> {
				if (!run(this.otherExecutor).wasExecuted()) {
					refused.incrementAndGet();
				}
			});
			other.start();
			other.join();
		}, job(HOUR));
		assertThat(refused).hasValue(1);
		assertThat(run(this.otherExecutor).getResult()).isEqualTo("done");
	}

	@Test
	void aTaskThatThrowsReleasesItsLock() {
		assertThatExceptionOfType(ArithmeticException.class)
			.isThrownBy(() -> this.executor.executeWithLock((Runnable) () -> {
				throw new ArithmeticException();
			}, job(HOUR)));
		assertThat(run(this.otherExecutor).wasExecuted()).isTrue();
	}

	@Test
	void aTaskExtendsItsLock() {
		this.executor.executeWithLock((Runnable) () -> {
			LockExtender.extendActiveLock(HOUR, Duration.ZERO);
			LockExtender.extendActiveLock(HOUR, Duration.ZERO);
			assertThat(this.client.holds("shedlock:job")).isTrue();
		}, job(Duration.ofSeconds(10)));
		assertThat(run(this.otherExecutor).wasExecuted()).isTrue();
	}

	@Test
	void aTaskThatOutlivesLockAtMostForEndsNormally() throws Throwable {
		TaskResult<String> result = this.executor.executeWithLock(() -> {
			await().until(() -> !this.client.holds("shedlock:job"));
			await().until(() -> run(this.otherExecutor).wasExecuted());
			return "late";
		}, job(Duration.ofSeconds(2)));
		assertThat(result.getResult()).isEqualTo("late");
	}

	@Test
	void aTaskDoesNotRunIfTheLockCannotBeAcquired() {
		this.access.deny(true);
		AtomicInteger runs = new AtomicInteger();
		assertThatExceptionOfType(LockException.class)
			.isThrownBy(() -> this.executor.executeWithLock((Runnable) runs::incrementAndGet, job(HOUR)));
		assertThat(runs).hasValue(0);
	}

}
