/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.Gate;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What threads that lock are told while DynamoDB refuses, or cannot be reached.
 */
@Order(1)
@ExtendWith(DynamoDbExtension.class)
@SuppressWarnings("LockNotBeforeTry") // to lock and to unlock are what is tested
class LockingInOutageTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	/** Long enough for an answer after a call that failed at once. */
	private static final Duration FEW_CALLS = Duration.ofSeconds(1);

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
	void noWayToLockPassesAnOutageOffAsABusyLock(Outage outage) {
		DynamoDbLockRegistry registry = impatient(Duration.ofMillis(200));
		DistributedLock impatient = registry.obtain("k");
		Worker.Action[] ways = { impatient::lock, impatient::lockInterruptibly, impatient::tryLock,
				() -> impatient.tryLock(200, TimeUnit.MILLISECONDS), () -> impatient.lock(RegistryNode.LONG_LEASE),
				() -> impatient.tryLock(Duration.ofMillis(200), RegistryNode.LONG_LEASE) };
		outage.begin(this.node.calls());
		for (Worker.Action way : ways) {
			assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(way::run)
				.withMessageContaining("Lock 'registry:k' cannot be acquired: ")
				.withMessageContaining(outage.told());
		}
		this.node.calls().heal();
		assertThat(registry.heldLock("k")).isEmpty();
		this.lock.lock();
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aWaitIsNotCutShortByAnOutageThatEnds() throws Exception {
		this.node.calls().cut();
		try (Worker worker = new Worker()) {
			CompletableFuture<Boolean> waiting = worker.begin(() -> this.lock.tryLock(30, TimeUnit.SECONDS));
			await().until(() -> this.node.calls().all().size() > 3);
			this.node.calls().heal();
			assertThat(waiting).succeedsWithin(LIMIT).isEqualTo(true);
		}
	}

	@ParameterizedTest
	@EnumSource(value = Way.class, names = { "LOCK", "LOCK_INTERRUPTIBLY" })
	void aThreadThatWaitsForAnotherNodeIsToldWhenDynamoDbIsSilent(Way way) throws Exception {
		try (RegistryNode other = this.node.other(RegistryNode.LONG_LEASE); Worker worker = new Worker()) {
			other.lock("k").lock();
			DistributedLock impatient = impatient(FEW_CALLS).obtain("k");
			CompletableFuture<Boolean> waiting = worker.run(() -> way.acquire(impatient));
			await().until(() -> this.node.client().waiting().size() == 1);
			this.node.calls().cut();
			assertThat(waiting).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(CannotAcquireLockException.class);
			other.lock("k").unlock();
		}
	}

	@ParameterizedTest
	@EnumSource(value = Way.class, names = { "LOCK", "LOCK_INTERRUPTIBLY" })
	void aThreadThatWaitsForAnotherNodeIsNotToldOfShortFaults(Way way) throws Exception {
		try (RegistryNode other = this.node.other(RegistryNode.LONG_LEASE); Worker worker = new Worker()) {
			other.lock("k").lock();
			// Long enough to heal the calls before a second piece of it fails.
			DistributedLock impatient = impatient(Duration.ofSeconds(3)).obtain("k");
			CompletableFuture<Boolean> waiting = worker.run(() -> {
				way.acquire(impatient);
				impatient.unlock();
			});
			for (int fault = 0; fault < 2; fault++) {
				this.node.refusals().clear();
				this.node.calls().cut();
				await().until(() -> wasRefused(LockStoreException.class));
				this.node.calls().heal();
				await().until(() -> wasRefused(LockNotGrantedException.class));
			}
			assertThat(waiting).isNotDone();
			other.lock("k").unlock();
			assertThat(waiting).succeedsWithin(LIMIT);
		}
	}

	@Test
	void aRefusalForGoodIsToldAfterOneMoreCall() {
		this.node.calls().refuse();
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this.lock::lock);
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this.lock::lockInterruptibly);
		assertThat(this.node.calls().all()).hasSize(4);
	}

	@Test
	void aMissingTableIsToldAfterTheFirstCall() {
		this.node.calls().miss();
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this.lock::lock);
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this.lock::lockInterruptibly);
		assertThat(this.node.calls().all()).hasSize(2);
	}

	@ParameterizedTest
	@EnumSource(value = Way.class, names = { "LOCK", "LOCK_INTERRUPTIBLY" })
	void aThreadWaitsLongerForAnotherNodeThanForASilentStore(Way way) throws Exception {
		try (RegistryNode other = this.node.other(RegistryNode.LONG_LEASE); Worker worker = new Worker()) {
			other.lock("k").lock();
			DistributedLock impatient = impatient(Duration.ofSeconds(1)).obtain("k");
			CompletableFuture<Boolean> waiting = worker.run(() -> {
				way.acquire(impatient);
				impatient.unlock();
			});
			await().until(() -> wasRefused(LockNotGrantedException.class));
			// The next piece of its patience begins.
			await().until(() -> this.node.client().waiting().size() == 1);
			assertThat(waiting).isNotDone();
			other.lock("k").unlock();
			assertThat(waiting).succeedsWithin(LIMIT);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 5, 50, 120 })
	void aFreeLockIsGrantedAndABusyOneRefusedHoweverLongCallsTake(int millis) throws Exception {
		try (RegistryNode other = this.node.other(RegistryNode.LONG_LEASE)) {
			DistributedLock lock = this.node.newRegistry((request) -> request.leaseDuration(RegistryNode.LONG_LEASE))
				.obtain("k");
			this.node.calls().onEach((request) -> await().pollDelay(Duration.ofMillis(150)).until(() -> true));
			assertThat(lock.tryLock(millis, TimeUnit.MILLISECONDS)).isTrue();
			lock.unlock();
			other.lock("k").lock();
			assertThat(lock.tryLock(millis, TimeUnit.MILLISECONDS)).isFalse();
			other.lock("k").unlock();
		}
	}

	@Test
	void aShortWaitForAStoreThatHangsEndsAfterTheTimeOfTwoCalls() {
		Gate gate = new Gate();
		this.node.calls().onEach((request) -> gate.pass());
		assertThatExceptionOfType(CannotAcquireLockException.class)
			.isThrownBy(() -> this.lock.tryLock(5, TimeUnit.MILLISECONDS));
		this.node.calls().heal();
		gate.open();
	}

	@Test
	void aTransactionConflictDelaysALockWithoutAStormOfCalls() {
		this.node.calls().conflict(5);
		this.lock.lock();
		this.lock.unlock();
		this.node.calls().clear();
		this.node.calls().conflict(Integer.MAX_VALUE);
		DistributedLock impatient = impatient(Duration.ofSeconds(1)).obtain("k");
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(impatient::lock);
		assertThat(this.node.calls().all()).hasSizeLessThan(50);
	}

	@Test
	void whoeverLocksAfterTheClientIsClosedIsToldSo() {
		this.node.client().close();
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this.lock::lock)
			.withMessageContaining("closed");
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this.lock::lockInterruptibly)
			.withMessageContaining("closed");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void threadsThatWaitWhileTheClientClosesAreNotified(boolean indefinitely) throws Exception {
		try (RegistryNode other = this.node.other(RegistryNode.LONG_LEASE); Worker worker = new Worker()) {
			other.lock("k").lock();
			CompletableFuture<Boolean> waiting = worker.run(() -> {
				if (indefinitely) {
					this.lock.lock();
				}
				else {
					this.lock.tryLock(1, TimeUnit.HOURS);
				}
			});
			await().until(() -> !this.node.waited().isZero());
			this.node.client().close();
			assertThat(waiting).failsWithin(LIMIT)
				.withThrowableThat()
				.withCauseInstanceOf(CannotAcquireLockException.class)
				.withMessageContaining("closed");
			await().until(() -> wasRefused(LockClientClosedException.class));
		}
	}

	private DynamoDbLockRegistry impatient(Duration patience) {
		return this.node.newRegistry(patience);
	}

	/** Whether a piece of the node's patience has ended so. */
	private boolean wasRefused(Class<? extends LockException> reason) {
		return this.node.refusals().stream().anyMatch(reason::isInstance);
	}

}
