/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What a thread meets that locks again what it holds, or held.
 */
@ExtendWith(DynamoDbExtension.class)
@SuppressWarnings("LockNotBeforeTry") // to lock and to unlock are what is tested
class KeyedLockReentrancyTests {

	private RegistryNode node;

	private DistributedLock lock;

	@BeforeEach
	void start(EmbeddedDynamoDb dynamoDb) {
		this.node = RegistryNode.of(dynamoDb);
		this.lock = this.node.lock("k");
	}

	@AfterEach
	void stop() {
		this.node.close();
	}

	@ParameterizedTest
	@EnumSource
	void aNestedAcquireCostsNoCall(Way outer) throws Exception {
		outer.acquire(this.lock);
		long token = this.node.held("k").fencingToken();
		this.node.calls().clear();
		for (Way inner : Way.values()) {
			inner.acquire(this.lock);
			this.lock.unlock();
		}
		assertThat(this.node.calls().all()).isEmpty();
		assertThat(this.node.held("k").fencingToken()).isEqualTo(token);
		this.lock.unlock();
	}

	@Test
	void aHolderThatAsksAgainAndAgainWritesNothing() throws Exception {
		this.lock.lock();
		this.node.calls().clear();
		for (int i = 0; i < 1000; i++) {
			assertThat(this.lock.tryLock(500, TimeUnit.MILLISECONDS)).isTrue();
			this.lock.unlock();
		}
		assertThat(this.node.calls().all()).isEmpty();
		this.lock.unlock();
	}

	@Test
	void onlyTheLastUnlockFreesTheLock() throws Exception {
		this.lock.lock();
		this.lock.lock();
		assertThat(this.lock.tryLock()).isTrue();
		this.lock.unlock();
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isTrue();
		try (Worker worker = new Worker()) {
			assertThat(worker.call(this.lock::tryLock)).isFalse();
			this.lock.unlock();
			assertThat(this.node.hasRow("k")).isFalse();
			assertThat(worker.call(this.lock::tryLock)).isTrue();
		}
	}

	@Test
	void anotherThreadDoesNotGetInByReentrancy() throws Exception {
		this.lock.lock();
		try (Worker worker = new Worker()) {
			assertThat(worker.call(this.lock::tryLock)).isFalse();
			assertThat(worker.call(() -> this.lock.tryLock(50, TimeUnit.MILLISECONDS))).isFalse();
		}
		this.lock.unlock();
	}

	@Test
	void aNestedTryLockOfALostLockIsFalseAndVoidsAllHolds() throws Exception {
		this.lock.lock();
		this.lock.lock();
		this.node.lose("k");
		this.node.calls().clear();
		assertThat(this.lock.tryLock()).isFalse();
		assertThat(this.node.calls().all()).isEmpty();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
		try (Worker worker = new Worker()) {
			assertThat(worker.call(() -> this.lock.tryLock(30, TimeUnit.SECONDS))).isTrue();
		}
	}

	@Test
	void aNestedTryLockWithATimeTellsALossAtOnce() throws Exception {
		this.lock.lock();
		this.node.lose("k");
		this.node.calls().clear();
		assertThat(this.lock.tryLock(1, TimeUnit.DAYS)).isFalse();
		assertThat(this.node.calls().all()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "LOCK", "LOCK_INTERRUPTIBLY", "LOCK_FOR_A_TIME" })
	void anAcquireWithoutAResultThrowsWhenTheLockWasLost(Way way) {
		this.lock.lock();
		this.node.lose("k");
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(() -> way.acquire(this.lock))
			.withMessageContaining("registry:k")
			.withMessageContaining("lost")
			.withCauseInstanceOf(LockLostException.class);
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
	}

	@Test
	void theUnlockOfAVoidHoldKeepsTheLossAsItsCause() {
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> {
			this.lock.lock();
			try {
				this.node.lose("k");
				this.lock.lock();
				this.lock.unlock();
			}
			finally {
				this.lock.unlock();
			}
		})
			.withMessageContaining("a nested acquisition found that the lock was lost")
			.havingCause()
			.isInstanceOfSatisfying(LockLostException.class,
					(loss) -> assertThat(loss.key()).isEqualTo(LockKey.of("registry:k")));
	}

	@Test
	void aLossIsTheCauseForTheThreadThatLostTheLockOnly() throws Exception {
		this.lock.lock();
		this.node.lose("k");
		assertThat(this.lock.tryLock()).isFalse();
		try (Worker worker = new Worker()) {
			assertThat(worker.call(() -> this.lock.tryLock(30, TimeUnit.SECONDS))).isTrue();
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock)
				.withCauseInstanceOf(LockLostException.class);
			worker.call(() -> {
				this.lock.unlock();
				assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock)
					.withNoCause();
				return true;
			});
		}
		this.lock.lock();
		this.lock.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock).withNoCause();
	}

	@Test
	void aLockThatIsRegainedAfterALossIsHeldOnceAndFreedByOneUnlock() throws Exception {
		this.lock.lock();
		this.lock.lock();
		this.node.lose("k");
		assertThat(this.lock.tryLock()).isFalse();
		assertThat(this.lock.tryLock(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.node.hasRow("k")).isTrue();
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
	}

	@Test
	void anUnlockAfterALossSaysSoAndGivesTheLocalHoldUp() throws Exception {
		this.lock.lock();
		this.node.lose("k");
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(this.lock::unlock)
			.withMessageContaining("registry:k")
			.withMessageContaining("was no longer held");
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
		try (Worker worker = new Worker()) {
			assertThat(worker.call(() -> this.lock.tryLock(30, TimeUnit.SECONDS))).isTrue();
		}
	}

	@Test
	void onlyTheLastUnlockTellsALoss() {
		this.lock.lock();
		this.lock.lock();
		this.node.lose("k");
		this.lock.unlock();
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(this.lock::unlock);
	}

	@Test
	void whatIsLeftOfAnExpiredLeaseIsFreedWhenTheLossIsTold() throws Exception {
		this.lock.lock(RegistryNode.SHORT_LEASE);
		await().until(() -> !this.node.held("k").isHeld());
		assertThat(this.node.held("k").lossReason()).hasValue(LossReason.EXPIRED);
		assertThat(this.node.hasRow("k")).isTrue();
		assertThat(this.lock.tryLock()).isFalse();
		await().until(() -> !this.node.hasRow("k"));
		assertThat(this.lock.tryLock(Duration.ofSeconds(30), RegistryNode.LONG_LEASE)).isTrue();
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

}
