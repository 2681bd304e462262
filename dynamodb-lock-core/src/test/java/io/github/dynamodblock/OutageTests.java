/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TcpProxy;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * One client whose network breaks, while others reach the table.
 */
@Order(1)
class OutageTests {

	private static final Duration LEASE = Duration.ofSeconds(2);

	/** A third of it is left at the warning: a machine that stalls is not to skip it. */
	private static final Duration STURDY_LEASE = LEASE.multipliedBy(3);

	private final TableSchema table = TestDynamoDb.newTable();

	private final TcpProxy network = TcpProxy.start();

	private final DynamoDbClient dynamoDb = TestDynamoDb
		.newClient((builder) -> builder.endpointOverride(this.network.endpoint()));

	private final List<String> events = new CopyOnWriteArrayList<>();

	private final LockClient client = LockClient.builder(this.dynamoDb)
		.tableName(this.table.tableName())
		.leaseDuration(LEASE)
		.waitTime(Duration.ofMinutes(1))
		.listener(new LockListener() {
			@Override
			public void onExpiring(HeldLock lock) {
				OutageTests.this.events.add("expiring");
			}

			@Override
			public void onRecovered(HeldLock lock) {
				OutageTests.this.events.add("recovered");
			}

			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				OutageTests.this.events.add("lost " + reason);
			}
		})
		.build();

	private final LockClient other = LockClient.builder(TestDynamoDb.client())
		.tableName(this.table.tableName())
		.build();

	@AfterEach
	void close() {
		this.network.heal();
		this.client.close();
		this.other.close();
		this.dynamoDb.close();
		this.network.close();
	}

	@Test
	void anExpiryWarningEndsWhenTheNetworkHealsInTime() throws Exception {
		HeldLock lock = this.client.acquire(LockRequest.of("k").leaseDuration(STURDY_LEASE));
		this.network.cut();
		await().until(() -> this.events.contains("expiring"));
		this.network.heal();
		await().until(() -> this.events.contains("recovered"));
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.events).containsExactly("expiring", "recovered");
		assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aHolderThatIsCutOffKnowsOfItsLossBeforeAnotherHasTheLock() throws Exception {
		HeldLock lock = this.client.acquire(LockRequest.of("k").leaseDuration(STURDY_LEASE));
		this.network.blackHole();
		HeldLock next = this.other.acquire("k");
		assertThat(lock.isHeld()).isFalse();
		assertThat(next.isHeld()).isTrue();
		assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
		await().until(() -> this.events.size() == 2);
		assertThat(this.events).containsExactly("expiring", "lost EXPIRED");
	}

	@Test
	void callsThatArriveAfterAnOutageDoNotAffectTheSuccessor() throws Exception {
		HeldLock lock = this.client.acquire("k");
		this.network.blackHole();
		CompletableFuture<ReleaseOutcome> release = CompletableFuture.supplyAsync(lock::release);
		await().until(() -> this.network.bytesKept() > 0);
		HeldLock next = this.other.acquire("k");
		this.network.heal();
		await().until(() -> release.isDone() && this.network.bytesKept() == 0);
		next.renew();
		assertThat(this.client.tryAcquire("k")).isEmpty();
		assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aReleaseIsRepeatedUntilTheNetworkHeals() throws Exception {
		HeldLock lock = this.client.acquire(LockRequest.of("k").leaseDuration(STURDY_LEASE));
		this.network.cut();
		CompletableFuture<ReleaseOutcome> release = CompletableFuture.supplyAsync(lock::release);
		await().until(() -> this.network.refused() > 0);
		this.network.heal();
		assertThat(release).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(this.client.tryAcquire("k")).isPresent();
	}

	@Test
	void anAcquireInAnOutageFailsAndLeavesNothingInTheWay() throws Exception {
		this.network.blackHole();
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.client.tryAcquire("k"));
		this.network.heal();
		// What was sent into the black hole may arrive and take the lock, for a lease.
		assertThat(this.client.acquire(LockRequest.of("k").waitTime(LEASE.multipliedBy(5))).isHeld()).isTrue();
	}

}
