/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.LockNaming;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.MDC;

import org.springframework.integration.support.locks.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

@ExtendWith(DynamoDbExtension.class)
@SuppressWarnings("LockNotBeforeTry") // to lock and to unlock are what is tested
class DynamoDbLockRegistryTests {

	private RegistryNode node;

	@BeforeEach
	void start(EmbeddedDynamoDb dynamoDb) {
		this.node = RegistryNode.of(dynamoDb);
	}

	@AfterEach
	void stop() {
		this.node.close();
	}

	@Test
	void eachWayToLockTakesTheRowAndUnlockDeletesIt() throws Exception {
		DistributedLock lock = this.node.lock("k");
		Worker.Action[] ways = { lock::lock, lock::lockInterruptibly, () -> assertThat(lock.tryLock()).isTrue(),
				() -> assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue(), () -> lock.lock(Duration.ofMinutes(1)),
				() -> assertThat(lock.tryLock(Duration.ofSeconds(5), Duration.ofMinutes(1))).isTrue() };
		for (Worker.Action way : ways) {
			way.run();
			assertThat(this.node.row("k").isReleased()).isFalse();
			lock.unlock();
			assertThat(this.node.hasRow("k")).isFalse();
		}
	}

	@Test
	void aFreeLockCostsOneWriteAndItsUnlockOneMore() {
		DistributedLock lock = this.node.lock("k");
		lock.lock();
		assertThat(this.node.calls().all()).hasSize(1);
		lock.unlock();
		assertThat(this.node.calls().all()).hasSize(2);
	}

	@ParameterizedTest
	@EnumSource(Way.class)
	void aThreadThatLocksMakesItsCallsInItsOwnContext(Way way) throws Exception {
		List<Optional<String>> orders = new CopyOnWriteArrayList<>();
		this.node.calls().onEach((request) -> orders.add(Optional.ofNullable(MDC.get("order"))));
		DistributedLock lock = this.node.lock("k");
		try (Worker worker = new Worker()) {
			assertThat(worker.run(() -> {
				MDC.put("order", "42");
				way.acquire(lock);
				lock.unlock();
			})).succeedsWithin(Duration.ofSeconds(30));
		}
		assertThat(orders).hasSize(2).containsOnly(Optional.of("42"));
	}

	@Test
	void aThreadThatWaitsMakesItsCallsInItsOwnContext() throws Exception {
		List<Optional<String>> orders = new CopyOnWriteArrayList<>();
		try (RegistryNode other = this.node.other(RegistryNode.LONG_LEASE); Worker worker = new Worker()) {
			other.lock("k").lock();
			this.node.calls().onEach((request) -> orders.add(Optional.ofNullable(MDC.get("order"))));
			CompletableFuture<Boolean> waiting = worker.run(() -> {
				MDC.put("order", "42");
				this.node.lock("k").lock();
				this.node.lock("k").unlock();
			});
			await().until(() -> orders.size() > 2);
			other.lock("k").unlock();
			assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
		}
		assertThat(orders).containsOnly(Optional.of("42"));
	}

	@Test
	void aLockIsHeldUntilItIsUnlockedWhateverTheClientsLimit() {
		try (LockClient limited = LockClient.builder(this.node.server().client())
			.tableName(this.node.table())
			.holdAtMost(Duration.ofSeconds(2))
			.build()) {
			Lock lock = new DynamoDbLockRegistry(limited).obtain("k");
			lock.lock();
			assertThat(limited.held()).singleElement()
				.satisfies((held) -> assertThat(held.remaining()).isGreaterThan(Duration.ofSeconds(2)));
			lock.unlock();
		}
	}

	@Test
	void aKeyHasOneLockObject() {
		Lock lock = this.node.lock("k");
		assertThat(this.node.lock("k")).isSameAs(lock);
		lock.lock();
		assertThat(this.node.lock("k")).isSameAs(lock);
		lock.unlock();
		assertThat(this.node.lock("k")).isSameAs(lock).isNotSameAs(this.node.lock("l"));
		assertThat(this.node.newRegistry().obtain("k")).isNotEqualTo(lock);
	}

	@Test
	void valuesOfEqualTextHaveOneLock() {
		Lock lock = this.node.lock("42");
		for (Object key : new Object[] { 42, 42L, new BigDecimal("42.0") }) {
			assertThat(this.node.registry().obtain(key)).isSameAs(lock);
		}
		Lock monday = this.node.lock("MONDAY");
		assertThat(this.node.registry().obtain(DayOfWeek.MONDAY)).isSameAs(monday);
	}

	@Test
	@SuppressWarnings("NullAway")
	void aKeyThatIsNoSimpleValueIsRefused() {
		DynamoDbLockRegistry registry = this.node.registry();
		for (Object key : new Object[] { new Object(), new byte[] { 1 }, List.of("k"), new AtomicReference<>("k") }) {
			assertThatIllegalArgumentException().isThrownBy(() -> registry.obtain(key))
				.withMessageContaining("lockKey is a " + key.getClass().getTypeName());
		}
		assertThatIllegalArgumentException().isThrownBy(() -> registry.obtain(" "))
			.withMessageContaining("lockKey is blank");
		assertThatIllegalArgumentException().isThrownBy(() -> registry.obtain("k".repeat(2048)))
			.withMessageContaining("at most 2048");
		assertThatNullPointerException().isThrownBy(() -> registry.obtain(null)).withMessageContaining("lockKey");
	}

	@Test
	void twoKeysAreTwoLocks() throws Exception {
		Lock first = this.node.lock("k");
		Lock second = this.node.lock("l");
		first.lockInterruptibly();
		try (Worker worker = new Worker()) {
			assertThat(worker.call(second::tryLock)).isTrue();
			assertThat(worker.run(second::unlock)).succeedsWithin(Duration.ofSeconds(30));
		}
		second.lockInterruptibly();
		second.unlock();
		first.unlock();
	}

	@Test
	void onlyTheThreadThatOwnsALockUnlocksIt() throws Exception {
		Lock lock = this.node.lock("k");
		lock.lock();
		try (Worker worker = new Worker()) {
			assertThat(worker.run(lock::unlock)).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(IllegalMonitorStateException.class)
				.withMessageContaining("own");
		}
		assertThat(this.node.hasRow("k")).isTrue();
		lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void whatWasNeverLockedOrIsUnlockedAlreadyIsOwnedByNobody() {
		Lock lock = this.node.lock("k");
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock)
			.withMessageContaining("own");
		lock.lock();
		lock.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock)
			.withMessageContaining("own");
	}

	@Test
	void whoeverWaitedInVainOwnsNothing() throws Exception {
		Lock lock = this.node.lock("k");
		lock.lock();
		try (Worker worker = new Worker()) {
			assertThat(worker.call(() -> lock.tryLock(50, TimeUnit.MILLISECONDS))).isFalse();
			assertThat(worker.run(lock::unlock)).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(IllegalMonitorStateException.class)
				.withMessageContaining("own");
		}
		lock.unlock();
	}

	@Test
	void aLockHasNoConditions() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.node.lock("k").newCondition())
			.withMessageContaining("conditions");
	}

	@Test
	void aTaskRunsWhileItsLockIsHeld() throws Exception {
		boolean held = this.node.registry().<Boolean, RuntimeException>executeLocked("k", () -> this.node.hasRow("k"));
		assertThat(held).isTrue();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aTaskWhoseLockIsNotFreeInTimeDoesNotRun() throws Exception {
		this.node.lock("k").lock();
		try (Worker worker = new Worker()) {
			assertThat(worker
				.run(() -> this.node.registry().executeLocked("k", Duration.ofMillis(50), () -> this.node.lose("k"))))
				.failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(TimeoutException.class);
		}
		assertThat(this.node.held("k").isHeld()).isTrue();
		this.node.lock("k").unlock();
	}

	@Test
	void theHeldLockOfAKeyHasAFencingTokenThatIncreases() {
		assertThat(this.node.registry().heldLock("k")).isEmpty();
		Lock lock = this.node.lock("k");
		lock.lock();
		HeldLock first = this.node.held("k");
		assertThat(first.isHeld()).isTrue();
		assertThat(first.name()).hasValue("lock-registry");
		assertThat(lock).hasToString("DynamoDbLock[registry:k, held here]");
		lock.unlock();
		assertThat(this.node.registry().heldLock("k")).isEmpty();
		assertThat(lock).hasToString("DynamoDbLock[registry:k]");
		lock.lock();
		assertThat(this.node.held("k").fencingToken()).isGreaterThan(first.fencingToken());
		lock.unlock();
	}

	@Test
	void aRegistryHasANamingAndOptionsOfItsRequests() {
		DynamoDbLockRegistry registry = new DynamoDbLockRegistry(this.node.client(), new LockNaming("orders/", null),
				(request) -> request.name("orders").deleteOnRelease(false).leaseDuration(Duration.ofSeconds(7)));
		Lock lock = registry.obtain("k");
		lock.lock();
		HeldLock held = registry.heldLock("k").orElseThrow();
		assertThat(held.name()).hasValue("orders");
		assertThat(held.key().partition()).isEqualTo("orders/k");
		assertThat(held.record().leaseDuration()).isEqualTo(Duration.ofSeconds(7));
		lock.unlock();
		assertThat(this.node.client().find("orders/k"))
			.hasValueSatisfying((row) -> assertThat(row.isReleased()).isTrue());
	}

	@Test
	void aTableWithASortKeyNeedsOneForItsLocks() {
		String table = "registry-" + UUID.randomUUID();
		LockTable.of(this.node.server().client(), table).sortKeyName("kind").createIfMissing();
		try (LockClient client = LockClient.builder(this.node.server().client())
			.tableName(table)
			.sortKeyName("kind")
			.build()) {
			Lock lock = new DynamoDbLockRegistry(client, new LockNaming("registry:", "lock"), UnaryOperator.identity())
				.obtain("k");
			lock.lock();
			assertThat(client.find(new LockKey("registry:k", "lock"))).isPresent();
			lock.unlock();
			assertThat(client.find(new LockKey("registry:k", "lock"))).isEmpty();
			Lock without = new DynamoDbLockRegistry(client).obtain("k");
			assertThatIllegalArgumentException().isThrownBy(without::lock).withMessageContaining("sort key");
			assertThatIllegalArgumentException().isThrownBy(without::lockInterruptibly)
				.withMessageContaining("sort key");
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(without::unlock);
		}
	}

	@Test
	void anOptionThatMakesNoSenseIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.node.newRegistry((request) -> request.name(" ")))
			.withMessageContaining("blank");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.node.newRegistry((request) -> request.leaseDuration(Duration.ofMillis(99))))
			.withMessageContaining("from 100 ms to 365 days");
	}

}
