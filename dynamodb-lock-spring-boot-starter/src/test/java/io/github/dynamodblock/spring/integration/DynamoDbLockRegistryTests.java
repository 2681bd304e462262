/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.util.UUID;
import java.util.concurrent.locks.Lock;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@ExtendWith(DynamoDbExtension.class)
class DynamoDbLockRegistryTests {

	private LockClient client;

	private DynamoDbLockRegistry registry;

	@BeforeEach
	void start(EmbeddedDynamoDb dynamoDb) {
		String table = "registry-" + UUID.randomUUID();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		this.client = LockClient.builder(dynamoDb.client()).tableName(table).build();
		this.registry = new DynamoDbLockRegistry(this.client);
	}

	@AfterEach
	void stop() {
		this.client.close();
	}

	@Test
	void theLastUnlockReleases() {
		Lock lock = this.registry.obtain("a");
		lock.lock();
		lock.lock();
		assertThat(lock.tryLock()).isTrue();
		lock.unlock();
		lock.unlock();
		assertThat(this.client.holds(new LockKey("registry:a", null))).isTrue();
		lock.unlock();
		assertThat(this.client.find("registry:a")).isEmpty();
		assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class).hasMessageContaining("own");
	}

	@Test
	void aLostLockIsNotAcquiredByNesting() {
		Lock lock = this.registry.obtain("a");
		lock.lock();
		this.client.forceRelease(this.registry.heldLock("a").orElseThrow().key(), this.client.ownerName());
		assertThatIllegalStateException().isThrownBy(() -> this.registry.renewLock("a"));
		assertThat(lock.tryLock()).isFalse();
		assertThat(lock.tryLock()).isTrue();
		lock.unlock();
	}

}
