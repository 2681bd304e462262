/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.time.Duration;
import java.util.Optional;

import io.github.dynamodblock.LockClient;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two lock providers on one table, as on two nodes of an application, which run one task.
 */
@Timeout(120)
abstract class TwoNodes {

	static final Duration HOUR = Duration.ofHours(1);

	static final Duration SHORT = Duration.ofSeconds(2);

	final TestTable table = new TestTable();

	final LockClient client;

	final LockProvider provider;

	final LockClient otherClient;

	final LockProvider otherProvider;

	TwoNodes() {
		this(TestTable.LEASE);
	}

	TwoNodes(Duration lease) {
		this.client = this.table.newClient(lease);
		this.provider = new DynamoDbLockProvider(this.client);
		this.otherClient = this.table.newClient(lease);
		this.otherProvider = new DynamoDbLockProvider(this.otherClient);
	}

	@AfterEach
	void close() throws Exception {
		this.table.close();
	}

	static LockConfiguration limits(Duration atMost, Duration atLeast) {
		return new LockConfiguration(ClockProvider.now(), "job", atMost, atLeast);
	}

	static LockConfiguration anHour() {
		return limits(HOUR, Duration.ZERO);
	}

	static ConditionFactory soon() {
		return await().atMost(Duration.ofSeconds(30));
	}

	SimpleLock lock(LockConfiguration configuration) {
		return this.provider.lock(configuration).orElseThrow();
	}

	SimpleLock lockOfTheOtherNode() {
		return soon().until(() -> this.otherProvider.lock(anHour()), Optional::isPresent).orElseThrow();
	}

	void assertLocked() {
		assertThat(this.otherProvider.lock(anHour())).isEmpty();
		assertThat(this.provider.lock(anHour())).isEmpty();
	}

	void assertFree() {
		SimpleLock lock = this.otherProvider.lock(anHour()).orElseThrow();
		lock.unlock();
	}

}
