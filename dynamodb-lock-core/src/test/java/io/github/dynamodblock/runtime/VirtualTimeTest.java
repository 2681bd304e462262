/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.runtime.shared.LockLog;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.store.LockStore;
import io.github.dynamodblock.store.SimulatedTable;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TestDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Two clients in virtual time, on a real table unless a test says otherwise: nothing here
 * waits for a clock, and every run is the same.
 */
abstract class VirtualTimeTest {

	private final TableSchema schema;

	private final LockStore store;

	private final VirtualTime time = new VirtualTime();

	private final List<String> events = new ArrayList<>();

	private final VirtualClient one;

	private final VirtualClient two;

	VirtualTimeTest() {
		this(TestDynamoDb.newTable());
	}

	private VirtualTimeTest(TableSchema schema) {
		this(schema, new DynamoDbLockStore(TestDynamoDb.client(), schema));
	}

	/**
	 * Without DynamoDB, for tests that make thousands of calls and look at no item. The
	 * table keeps the contract that the real one is tested for.
	 */
	VirtualTimeTest(SimulatedTable table) {
		this(TableSchema.of(TestDynamoDb.newTableName()), table);
	}

	private VirtualTimeTest(TableSchema schema, LockStore store) {
		this.schema = schema;
		this.store = store;
		this.one = client("one");
		this.two = client("two");
	}

	VirtualTime time() {
		return this.time;
	}

	VirtualClient one() {
		return this.one;
	}

	VirtualClient two() {
		return this.two;
	}

	/** What the clients' listeners were told, in order. */
	List<String> events() {
		return this.events;
	}

	/** Begins to wait for a lock, and lets a lease and a second go by. */
	AcquisitionTask waitFor(VirtualClient client, String key) {
		AcquisitionTask task = client.start(LockRequest.of(key).waitTime(Duration.ofMinutes(5)));
		this.time.pass(VirtualClient.LEASE.plusSeconds(1));
		return task;
	}

	/** The client takes the lock and is never heard of again. */
	void crash(VirtualClient client, String key) {
		client.acquire(key);
		silence(client);
	}

	/** From now on no request of the client arrives. */
	void silence(VirtualClient client) {
		Fault[] silence = new Fault[1000];
		Arrays.fill(silence, Fault.REQUEST_LOST);
		client.environment().next(silence);
	}

	private VirtualClient client(String name) {
		return client(name, UnaryOperator.identity());
	}

	/** One more client on the same table, with settings of its own. */
	VirtualClient client(String name, UnaryOperator<ClientSettings> change) {
		ClientSettings settings = VirtualClient.settings(name, this.schema, listener(name));
		return new VirtualClient(this.time, this.store, this.schema, change.apply(settings));
	}

	/** One more client, which makes a number of calls at a time. */
	VirtualClient clientWithSlots(String name, int slots) {
		ClientSettings settings = VirtualClient.settings(name, this.schema, listener(name));
		return new VirtualClient(this.time, this.schema, settings, LockLog.NONE,
				new VirtualEnvironment(this.time, this.store, name.hashCode(), slots));
	}

	/** One more client, with an SDK's client of its own. */
	final VirtualClient client(String name, DynamoDbClient dynamoDb) {
		return new VirtualClient(this.time, new DynamoDbLockStore(dynamoDb, this.schema), this.schema,
				VirtualClient.settings(name, this.schema, listener(name)));
	}

	/** One more client whose leases have other terms. */
	VirtualClient client(String name, LeaseTerms terms) {
		return client(name, (settings) -> new ClientSettings(name, terms, settings.waitTime(), null, false, null,
				settings.observationCapacity(), true, settings.listeners(), settings.rules()));
	}

	private LockListener listener(String name) {
		return new LockListener() {

			private void add(String event) {
				VirtualTimeTest.this.events.add(name + " " + event);
			}

			@Override
			public void onAcquired(HeldLock lock) {
				add("acquired");
			}

			@Override
			public void onReleased(HeldLock lock) {
				add("released");
			}

			@Override
			public void onReleaseFailed(HeldLock lock, LockException cause) {
				add("release failed");
			}

			@Override
			public void onDetached(HeldLock lock) {
				add("detached");
			}

			@Override
			public void onExpiring(HeldLock lock) {
				add("expiring");
			}

			@Override
			public void onContended(HeldLock lock) {
				add("contended");
			}

			@Override
			public void onRecovered(HeldLock lock) {
				add("recovered");
			}

			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				add("lost " + reason);
			}

		};
	}

}
