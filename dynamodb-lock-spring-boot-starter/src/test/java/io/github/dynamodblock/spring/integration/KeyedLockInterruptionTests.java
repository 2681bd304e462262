/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.Gate;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.integration.support.locks.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A thread that is interrupted before, while and after it locks.
 */
@ExtendWith(DynamoDbExtension.class)
@SuppressWarnings("LockNotBeforeTry") // to lock and to unlock are what is tested
class KeyedLockInterruptionTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final Worker worker = new Worker();

	private RegistryNode node;

	private DistributedLock lock;

	@BeforeEach
	void start(EmbeddedDynamoDb dynamoDb) {
		this.node = RegistryNode.of(dynamoDb);
		this.lock = this.node.lock("k");
	}

	@AfterEach
	void stop() {
		this.worker.close();
		this.node.close();
	}

	@Test
	void anInterruptedThreadDoesNotBeginToLockInterruptibly() throws Exception {
		assertInterrupted(this.worker.run(interrupted(this.lock::lockInterruptibly)));
		assertInterrupted(this.worker.run(interrupted(() -> this.lock.tryLock(5, TimeUnit.SECONDS))));
		assertInterrupted(this.worker.run(interrupted(() -> this.lock.tryLock(LIMIT, RegistryNode.LONG_LEASE))));
		assertThat(this.node.calls().all()).isEmpty();
		assertNoThreadHoldsOrWaits();
	}

	@Test
	void aNestedAcquireIsInterruptedTooAndTheOuterHoldStays() throws Exception {
		assertThat(this.worker.call(this.lock::tryLock)).isTrue();
		assertInterrupted(this.worker.run(interrupted(() -> this.lock.tryLock(5, TimeUnit.SECONDS))));
		assertInterrupted(this.worker.run(interrupted(this.lock::lockInterruptibly)));
		assertThat(this.node.held("k").isHeld()).isTrue();
		assertThat(this.worker.run(this.lock::unlock)).succeedsWithin(LIMIT);
		assertNoThreadHoldsOrWaits();
	}

	@Test
	void anInterruptedThreadLocksUninterruptiblyAndStaysInterrupted() throws Exception {
		boolean kept = this.worker.call(() -> {
			Thread.currentThread().interrupt();
			this.lock.lock();
			return Thread.currentThread().isInterrupted();
		});
		assertThat(kept).isTrue();
		assertThat(this.node.hasRow("k")).isTrue();
		assertThat(this.worker.run(this.lock::unlock)).succeedsWithin(LIMIT);
		kept = this.worker.call(() -> {
			Thread.currentThread().interrupt();
			this.lock.lock(RegistryNode.LONG_LEASE);
			return Thread.currentThread().isInterrupted();
		});
		assertThat(kept).isTrue();
		assertThat(this.worker.run(this.lock::unlock)).succeedsWithin(LIMIT);
	}

	@Test
	void anInterruptedThreadMakesItsOneAttemptAndStaysInterrupted() throws Exception {
		boolean locked = this.worker.call(() -> {
			Thread.currentThread().interrupt();
			return this.lock.tryLock() && Thread.currentThread().isInterrupted();
		});
		assertThat(locked).isTrue();
		try (Worker other = new Worker()) {
			assertThat(other.call(() -> {
				Thread.currentThread().interrupt();
				return this.lock.tryLock() || !Thread.currentThread().isInterrupted();
			})).isFalse();
		}
		assertThat(this.worker.run(this.lock::unlock)).succeedsWithin(LIMIT);
	}

	@Test
	void anUnlockByAnInterruptedThreadDeletesTheRowAndKeepsTheFlag() throws Exception {
		boolean kept = this.worker.call(() -> {
			this.lock.lock();
			Thread.currentThread().interrupt();
			this.lock.unlock();
			return Thread.currentThread().isInterrupted();
		});
		assertThat(kept).isTrue();
		assertThat(this.node.hasRow("k")).isFalse();
		assertNoThreadHoldsOrWaits();
	}

	@Test
	void anUnlockThatIsInterruptedReturnsWhenTheRowIsGone() throws Exception {
		assertThat(this.worker.call(this.lock::tryLock)).isTrue();
		Gate gate = new Gate();
		this.node.calls().onEach((request) -> gate.pass());
		CompletableFuture<Boolean> unlock = this.worker.begin(() -> {
			this.lock.unlock();
			return Thread.currentThread().isInterrupted();
		});
		gate.awaitEntered();
		assertThat(this.lock.tryLock()).isFalse();
		this.worker.interrupt();
		gate.open();
		assertThat(unlock).succeedsWithin(LIMIT).isEqualTo(true);
		assertThat(this.node.hasRow("k")).isFalse();
		assertNoThreadHoldsOrWaits();
	}

	@Test
	void aRenewalByAnInterruptedThreadIsMadeAndKeepsTheFlag() throws Exception {
		boolean kept = this.worker.call(() -> {
			this.lock.lock();
			this.node.calls().clear();
			Thread.currentThread().interrupt();
			this.node.registry().renewLock("k");
			return Thread.currentThread().isInterrupted();
		});
		assertThat(kept).isTrue();
		assertThat(this.node.calls().writes()).hasSize(1);
		assertThat(this.worker.run(this.lock::unlock)).succeedsWithin(LIMIT);
	}

	@Test
	void whoeverWaitsForAThreadOfItsRegistryIsInterrupted() throws Exception {
		this.lock.lock();
		for (Worker.Action way : interruptibleWays(this.lock)) {
			CompletableFuture<?> waiting = this.worker.run(way);
			this.worker.awaitWaiting();
			this.worker.interrupt();
			assertInterrupted(waiting);
		}
		this.lock.unlock();
		assertNoThreadHoldsOrWaits();
	}

	@Test
	void whoeverWaitsForAnotherNodeIsInterrupted() throws Exception {
		try (RegistryNode other = this.node.other(RegistryNode.LONG_LEASE)) {
			other.lock("k").lock();
			for (Worker.Action way : interruptibleWays(this.lock)) {
				CompletableFuture<?> waiting = this.worker.run(way);
				await().until(() -> this.node.client().waiting().size() == 1);
				this.worker.interrupt();
				assertInterrupted(waiting);
				assertThat(this.node.client().waiting()).isEmpty();
			}
			other.lock("k").unlock();
		}
		assertNoThreadHoldsOrWaits();
	}

	@Test
	void whoeverIsInterruptedDuringTheCallThatTakesTheLockLeavesNoRow() throws Exception {
		Gate gate = new Gate();
		this.node.calls().onEach((request) -> gate.pass());
		CompletableFuture<?> waiting = this.worker.run(this.lock::lockInterruptibly);
		gate.awaitEntered();
		this.worker.interrupt();
		assertInterrupted(waiting);
		this.node.calls().heal();
		gate.open();
		assertThat(this.lock.tryLock(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		this.lock.unlock();
		assertNoThreadHoldsOrWaits();
	}

	@ParameterizedTest
	@EnumSource(names = { "LOCK", "LOCK_FOR_A_TIME", "TRY_LOCK" })
	void aThreadThatLocksUninterruptiblyRepeatsTheCallThatIsInterrupted(Way way) throws Exception {
		Gate gate = new Gate();
		this.node.calls().onEach((request) -> gate.pass());
		CompletableFuture<Boolean> locking = this.worker.begin(() -> {
			way.acquire(this.lock);
			return Thread.currentThread().isInterrupted();
		});
		gate.awaitEntered();
		this.worker.interrupt();
		await().until(() -> this.node.calls().all().size() == 2);
		gate.open();
		assertThat(locking).succeedsWithin(LIMIT).isEqualTo(true);
		assertThat(this.node.held("k").isHeld()).isTrue();
		assertThat(this.worker.run(this.lock::unlock)).succeedsWithin(LIMIT);
		assertNoThreadHoldsOrWaits();
	}

	@Test
	void lockGoesOnWaitingForAThreadOfItsRegistry() throws Exception {
		this.lock.lock();
		CompletableFuture<Boolean> waiting = this.worker.begin(() -> {
			this.lock.lock();
			return Thread.currentThread().isInterrupted();
		});
		this.worker.awaitWaiting();
		this.worker.interrupt();
		this.lock.unlock();
		assertThat(waiting).succeedsWithin(LIMIT).isEqualTo(true);
		assertThat(this.node.held("k").isHeld()).isTrue();
		assertThat(this.worker.run(this.lock::unlock)).succeedsWithin(LIMIT);
		assertNoThreadHoldsOrWaits();
	}

	@Test
	void lockGoesOnWaitingForAnotherNodeInItsPlaceInTheLine() throws Exception {
		try (RegistryNode other = this.node.other(RegistryNode.LONG_LEASE)) {
			other.lock("k").lock();
			CompletableFuture<Boolean> waiting = this.worker.begin(() -> {
				this.lock.lock();
				return Thread.currentThread().isInterrupted();
			});
			await().until(() -> this.node.waited().compareTo(Duration.ofSeconds(1)) > 0);
			Duration waited = this.node.waited();
			this.worker.interrupt();
			// An acquisition that began anew would have waited for less than before.
			await().failFast(() -> this.node.waited().compareTo(waited) < 0)
				.until(() -> this.node.waited().compareTo(waited.plusMillis(500)) > 0);
			assertThat(waiting).isNotDone();
			other.lock("k").unlock();
			assertThat(waiting).succeedsWithin(LIMIT).isEqualTo(true);
			assertThat(this.worker.run(this.lock::unlock)).succeedsWithin(LIMIT);
		}
		assertNoThreadHoldsOrWaits();
	}

	private static Worker.Action[] interruptibleWays(DistributedLock lock) {
		return new Worker.Action[] { lock::lockInterruptibly, () -> lock.tryLock(1, TimeUnit.DAYS),
				() -> lock.tryLock(Duration.ofDays(1), RegistryNode.LONG_LEASE) };
	}

	private static Worker.Action interrupted(Worker.Action action) {
		return () -> {
			Thread.currentThread().interrupt();
			action.run();
		};
	}

	private static void assertInterrupted(CompletableFuture<?> future) {
		assertThat(future).failsWithin(LIMIT)
			.withThrowableOfType(ExecutionException.class)
			.withCauseExactlyInstanceOf(InterruptedException.class);
	}

	/** Neither here nor in DynamoDB. */
	private void assertNoThreadHoldsOrWaits() throws Exception {
		await().until(() -> !this.node.hasRow("k"));
		try (Worker anybody = new Worker()) {
			assertThat(anybody.call(this.lock::tryLock)).isTrue();
			assertThat(anybody.run(this.lock::unlock)).succeedsWithin(LIMIT);
		}
	}

}
