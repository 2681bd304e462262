/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.WaitingAcquisition;
import io.github.dynamodblock.spring.LockNaming;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.integration.support.locks.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A process with a registry, as far as the others can tell.
 */
final class RegistryNode implements AutoCloseable {

	/** Long enough for tests in which no lease is to end. */
	static final Duration LONG_LEASE = Duration.ofMinutes(1);

	static final Duration SHORT_LEASE = Duration.ofSeconds(2);

	private static final LockNaming NAMING = new LockNaming(DynamoDbLockRegistry.DEFAULT_KEY_PREFIX, null);

	private final EmbeddedDynamoDb server;

	private final String table;

	private final StoreCalls calls = new StoreCalls();

	private final DynamoDbClient dynamoDb;

	private final Refusals refusals = new Refusals();

	private final LockClient client;

	private final DynamoDbLockRegistry registry;

	private RegistryNode(EmbeddedDynamoDb server, String table, Duration lease) {
		this.server = server;
		this.table = table;
		this.dynamoDb = server.newClient((builder) -> builder
			.overrideConfiguration((configuration) -> configuration.addExecutionInterceptor(this.calls)));
		this.client = LockClient.builder(this.dynamoDb)
			.tableName(table)
			.leaseDuration(lease)
			.listener(this.refusals)
			.build();
		this.registry = new DynamoDbLockRegistry(this.client);
	}

	/** The first node of a table. */
	static RegistryNode of(EmbeddedDynamoDb server) {
		return of(server, LONG_LEASE);
	}

	/** The first node of a table. */
	static RegistryNode of(EmbeddedDynamoDb server, Duration lease) {
		String table = "registry-" + UUID.randomUUID();
		LockTable.of(server.client(), table).createIfMissing();
		RegistryNode node = new RegistryNode(server, table, lease);
		node.warmUp();
		return node;
	}

	/** The first calls of a JVM may take longer than a short lease allows. */
	private void warmUp() {
		Optional<HeldLock> lock;
		try {
			lock = this.client.tryAcquire(
					LockRequest.of("warm-up").waitTime(LONG_LEASE).leaseDuration(LONG_LEASE).deleteOnRelease(true));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("Interrupted by nobody the test knows", ex);
		}
		assertThat(lock.orElseThrow().release()).isEqualTo(ReleaseOutcome.RELEASED);
		this.calls.clear();
	}

	/** Another node with the same table and lease. */
	RegistryNode other(Duration lease) {
		return new RegistryNode(this.server, this.table, lease);
	}

	/** Another registry with the same client. */
	DynamoDbLockRegistry newRegistry() {
		return new DynamoDbLockRegistry(this.client);
	}

	/** Another registry with the same client and keys, whose requests have options. */
	DynamoDbLockRegistry newRegistry(UnaryOperator<LockRequest> options) {
		return new DynamoDbLockRegistry(this.client, NAMING, options);
	}

	/**
	 * Another registry with the same client, which notices soon that DynamoDB is silent.
	 */
	DynamoDbLockRegistry newRegistry(Duration patience) {
		return new DynamoDbLockRegistry(NAMING, new LockGrants(this.client, UnaryOperator.identity(), patience));
	}

	EmbeddedDynamoDb server() {
		return this.server;
	}

	String table() {
		return this.table;
	}

	StoreCalls calls() {
		return this.calls;
	}

	/** Why the client did not give locks, in the order in which it said so. */
	List<LockException> refusals() {
		return this.refusals.reasons;
	}

	/** How long the acquisition that is under way has waited; zero if there is none. */
	Duration waited() {
		return this.client.waiting().stream().map(WaitingAcquisition::waited).findFirst().orElse(Duration.ZERO);
	}

	LockClient client() {
		return this.client;
	}

	DynamoDbLockRegistry registry() {
		return this.registry;
	}

	DistributedLock lock(String key) {
		return this.registry.obtain(key);
	}

	/** The lock that a thread of this node holds. */
	HeldLock held(String key) {
		return this.registry.heldLock(key).orElseThrow();
	}

	/** Whether the table has an item of the lock. */
	boolean hasRow(String key) {
		return this.client.find("registry:" + key).isPresent();
	}

	LockRecord row(String key) {
		return this.client.find("registry:" + key).orElseThrow();
	}

	/** Takes a lock away from this node, which learns of it at once. */
	void lose(String key) {
		HeldLock held = held(key);
		LockKey item = held.key();
		assertThat(this.client.forceRelease(item, this.client.ownerName())).isEqualTo(ReleaseOutcome.RELEASED);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(held::renew);
	}

	@Override
	public void close() {
		this.calls.heal();
		this.client.close();
		this.dynamoDb.close();
	}

	private static final class Refusals implements LockListener {

		private final List<LockException> reasons = new CopyOnWriteArrayList<>();

		@Override
		public void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
			this.reasons.add(reason);
		}

	}

}
