/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.integration.support.locks.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * What threads that hold a lock are told while DynamoDB refuses, or cannot be reached.
 */
@Order(1)
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
@SuppressWarnings("LockNotBeforeTry") // to lock and to unlock are what is tested
class HoldingInOutageTests {

	private RegistryNode node;

	private DistributedLock lock;

	@BeforeEach
	void start(EmbeddedDynamoDb dynamoDb) {
		this.node = RegistryNode.of(dynamoDb, RegistryNode.SHORT_LEASE);
		this.lock = this.node.lock("k");
	}

	@AfterEach
	void stop() {
		this.node.close();
	}

	@ParameterizedTest
	@EnumSource
	void anUnlockInAnOutageIsLoggedAndGivesTheLocalHoldUp(Outage outage, CapturedLog log) {
		this.lock.lock();
		outage.begin(this.node.calls());
		this.lock.unlock();
		assertThat(log).containsPattern("WARN .*Lock 'registry:k' was unlocked here, but DynamoDB did not confirm");
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
		assertThat(this.node.registry().heldLock("k")).isEmpty();
	}

	@Test
	void anUnlockAfterATransientFaultReturnsWhenTheRowIsGone() throws Exception {
		this.lock.lock(RegistryNode.LONG_LEASE);
		this.node.calls().clear();
		this.node.calls().cut();
		try (Worker worker = new Worker()) {
			CompletableFuture<Boolean> healing = worker.run(() -> {
				await().until(() -> this.node.calls().writes().size() >= 2);
				this.node.calls().heal();
			});
			this.lock.unlock();
			assertThat(healing).succeedsWithin(Duration.ofSeconds(30));
		}
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aTransactionConflictDelaysAnUnlockAndLeavesNoRow() {
		this.lock.lock(RegistryNode.LONG_LEASE);
		this.node.calls().conflict(5);
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aRefusedRenewalSaysSoAndTheLockStaysHeld() {
		this.lock.lock(RegistryNode.LONG_LEASE);
		this.node.calls().refuse();
		assertThatExceptionOfType(DataAccessResourceFailureException.class)
			.isThrownBy(() -> this.node.registry().renewLock("k"))
			.withMessageContaining("registry:k");
		this.node.calls().heal();
		assertThat(this.lock.tryLock()).isTrue();
		this.lock.unlock();
		this.node.registry().renewLock("k");
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aRenewalThatDoesNotGetThroughBeforeTheLeaseEndsTellsTheLoss() {
		this.lock.lock();
		this.node.calls().cut();
		assertThatIllegalStateException().isThrownBy(() -> this.node.registry().renewLock("k"))
			.withMessageContaining("registry:k")
			.withMessageContaining("lost");
		this.node.calls().heal();
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(this.lock::unlock);
	}

	@Test
	void aLockSurvivesAnOutageThatIsShorterThanItsLease() throws Exception {
		DistributedLock longer = this.node.newRegistry((request) -> request.leaseDuration(Duration.ofSeconds(6)))
			.obtain("k");
		longer.lock();
		this.node.calls().clear();
		this.node.calls().cut();
		await().until(() -> this.node.calls().writes().size() >= 2);
		this.node.calls().heal();
		int before = this.node.calls().writes().size();
		await().until(() -> this.node.calls().writes().size() > before);
		assertThat(longer.tryLock()).isTrue();
		longer.unlock();
		longer.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aLockThatAnOutageCostIsLostRegainedAndFreed() throws Exception {
		this.lock.lock();
		this.node.calls().cut();
		await().until(() -> !this.node.held("k").isHeld());
		assertThat(this.lock.tryLock(1, TimeUnit.SECONDS)).isFalse();
		this.node.calls().heal();
		assertThat(this.lock.tryLock(30, TimeUnit.SECONDS)).isTrue();
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aLossInAnOutageIsReportedWithoutWaitingForDynamoDb(boolean nested) throws Exception {
		CountDownLatch over = new CountDownLatch(1);
		try (Worker worker = new Worker()) {
			worker.run(this.lock::lock).get(30, TimeUnit.SECONDS);
			this.node.calls().onEach((request) -> awaitUninterruptibly(over));
			await().until(() -> !this.node.held("k").isHeld());
			CompletableFuture<Boolean> told = worker.begin(() -> {
				if (nested) {
					return this.lock.tryLock();
				}
				assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(this.lock::unlock)
					.withMessageContaining("EXPIRED");
				return false;
			});
			// A release that is awaited takes ten seconds.
			assertThat(told).succeedsWithin(Duration.ofSeconds(8)).isEqualTo(false);
		}
		finally {
			over.countDown();
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean interrupted = false;
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void theEndOfTheClientEndsItsLocks() {
		this.lock.lock();
		this.node.client().close();
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(this.lock::unlock)
			.withMessageContaining("CLOSED");
	}

}
