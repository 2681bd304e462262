/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.integration.support.locks.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks that belong to virtual threads.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
@ExtendWith(DynamoDbExtension.class)
@SuppressWarnings("LockNotBeforeTry") // to lock and to unlock are what is tested
class KeyedLockVirtualThreadsTests {

	/** More than any machine has carriers. */
	private static final int CALLERS = 100;

	private static final Duration LIMIT = Duration.ofMinutes(1);

	private RegistryNode node;

	private ExecutorService threads;

	@BeforeEach
	void start(EmbeddedDynamoDb dynamoDb) throws ReflectiveOperationException {
		this.node = RegistryNode.of(dynamoDb);
		// The tests' Java 17 does not know it.
		this.threads = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
	}

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.node.close();
	}

	@Test
	void manyVirtualThreadsWaitForOneLockAndEachIsAloneInside() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		DistributedLock lock = this.node.lock("k");
		lock.lock();
		List<Future<Boolean>> callers = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			callers.add(this.threads.submit(() -> {
				lock.lock();
				assertThat(lock.tryLock()).isTrue();
				boolean alone = inside.incrementAndGet() == 1;
				inside.decrementAndGet();
				lock.unlock();
				lock.unlock();
				return alone;
			}));
		}
		lock.unlock();
		for (Future<Boolean> each : callers) {
			assertThat(each.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aVirtualThreadOwnsItsLockAndNoOtherUnlocksIt() throws Exception {
		DistributedLock lock = this.node.lock("k");
		assertThat(this.threads.submit(() -> lock.tryLock()).get()).isTrue();
		Future<?> unlock = this.threads.submit(lock::unlock);
		assertThat(unlock).failsWithin(LIMIT)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(IllegalMonitorStateException.class);
		assertThat(this.node.held("k").isHeld()).isTrue();
		assertThat(this.threads.submit(() -> lock.tryLock()).get()).isFalse();
	}

	@Test
	void aVirtualThreadThatWaitsIsInterrupted() throws Exception {
		DistributedLock lock = this.node.lock("k");
		lock.lock();
		Future<?> waiting = this.threads.submit(() -> {
			lock.lockInterruptibly();
			return true;
		});
		this.threads.shutdownNow();
		assertThat(waiting).failsWithin(LIMIT)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(InterruptedException.class);
		lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

}
