/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
@ExtendWith(DynamoDbExtension.class)
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
	void anUnlockInAnOutageSaysSoAndGivesTheLocalHoldUp(Outage outage) {
		this.lock.lock();
		outage.begin(this.node.calls());
		assertThatExceptionOfType(DataAccessResourceFailureException.class).isThrownBy(this.lock::unlock)
			.withMessageContaining("registry:k")
			.withMessageContaining("did not confirm");
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

	@Test
	void theEndOfTheClientEndsItsLocks() {
		this.lock.lock();
		this.node.client().close();
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(this.lock::unlock)
			.withMessageContaining("CLOSED");
	}

}
