/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A registry remembers the locks that are in use, and no others.
 */
@ExtendWith(DynamoDbExtension.class)
@SuppressWarnings("LockNotBeforeTry") // to lock and to unlock are what is tested
class ForgottenLocksTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private RegistryNode node;

	private DynamoDbLockRegistry registry;

	@BeforeEach
	void start(EmbeddedDynamoDb dynamoDb) {
		this.node = RegistryNode.of(dynamoDb);
		this.registry = this.node.registry();
	}

	@AfterEach
	void stop() {
		this.node.close();
	}

	@Test
	void locksThatNothingReferencesAreForgotten() throws Exception {
		for (int i = 0; i < 100; i++) {
			this.registry.obtain("unused-" + i);
			this.registry.executeLocked("used-" + i % 10, () -> {
			});
		}
		awaitSize(0);
		assertThat(this.node.client().list()).isEmpty();
	}

	@Test
	void aHeldLockIsNotForgotten() throws Exception {
		this.registry.obtain("held").lock();
		this.registry.obtain("unused");
		awaitSize(1);
		assertThat(this.node.held("held").isHeld()).isTrue();
		this.registry.renewLock("held");
		try (Worker worker = new Worker()) {
			assertThat(worker.call(() -> this.registry.obtain("held").tryLock())).isFalse();
		}
		assertThat(this.registry.obtain("held").tryLock()).isTrue();
		this.registry.obtain("held").unlock();
		this.registry.obtain("held").unlock();
		assertThat(this.node.hasRow("held")).isFalse();
		awaitSize(0);
	}

	@Test
	void aLockThatAThreadWaitsForIsNotForgotten() throws Exception {
		try (RegistryNode other = this.node.other(RegistryNode.LONG_LEASE); Worker worker = new Worker()) {
			other.lock("k").lock();
			CompletableFuture<Boolean> waiting = worker.run(() -> this.registry.obtain("k").lock());
			worker.awaitWaiting();
			this.registry.obtain("unused");
			awaitSize(1);
			this.node.calls().clear();
			assertThat(this.registry.obtain("k").tryLock()).isFalse();
			assertThat(this.node.calls().writes()).isEmpty();
			other.lock("k").unlock();
			assertThat(waiting).succeedsWithin(LIMIT);
			assertThat(worker.run(() -> this.registry.obtain("k").unlock())).succeedsWithin(LIMIT);
		}
	}

	@Test
	void expiringLocksForgetsNoneThatIsReferenced() {
		Lock lock = this.registry.obtain("k");
		this.registry.expireUnusedOlderThan(0);
		assertThat(this.registry.obtain("k")).isSameAs(lock);
	}

	/** Returns when the registry remembers so few locks. */
	private void awaitSize(int size) {
		await().until(() -> {
			System.gc();
			return this.registry.size() == size;
		});
	}

}
