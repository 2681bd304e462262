/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * A node that is a candidate for one role, with a lock client, a registry and an
 * initiator of its own.
 */
final class LeaderNode implements AutoCloseable {

	static final String ROLE = "reports";

	/** The key of the role's lock in the table. */
	static final String KEY = DynamoDbLockRegistry.DEFAULT_KEY_PREFIX + ROLE;

	private final CallRecorder recorder = new CallRecorder();

	private final DynamoDbClient dynamoDb;

	private final LockClient client;

	private final DynamoDbLockRegistry registry;

	private final LockRegistryLeaderInitiator initiator;

	private final List<String> events = new CopyOnWriteArrayList<>();

	LeaderNode(EmbeddedDynamoDb dynamoDb, String table, String id, Duration lease) {
		this.dynamoDb = dynamoDb.newClient(this.recorder::attach);
		this.client = LockClient.builder(this.dynamoDb)
			.tableName(table)
			.ownerName(id)
			.leaseDuration(lease)
			.heartbeatPeriod(Duration.ofMillis(200))
			.build();
		this.registry = new DynamoDbLockRegistry(this.client);
		this.initiator = new LockRegistryLeaderInitiator(this.registry, new DefaultCandidate(id, ROLE));
		this.initiator.setHeartBeatMillis(100);
		this.initiator.setBusyWaitMillis(100);
		this.initiator.setApplicationEventPublisher(
				(event) -> this.events.add(((AbstractLeaderEvent) event).getClass().getSimpleName()));
	}

	LockRegistryLeaderInitiator initiator() {
		return this.initiator;
	}

	LockClient client() {
		return this.client;
	}

	DynamoDbLockRegistry registry() {
		return this.registry;
	}

	CallRecorder recorder() {
		return this.recorder;
	}

	/** The simple names of the events that were published so far. */
	List<String> events() {
		return this.events;
	}

	LeaderNode start() {
		this.initiator.start();
		return this;
	}

	/** Whether the initiator says so. */
	boolean leads() {
		return this.initiator.getContext().isLeader();
	}

	/** What counts: the fencing token of the lock while it is held, or zero. */
	long heldToken() {
		return this.registry.heldLock(ROLE).filter(HeldLock::isHeld).map(HeldLock::fencingToken).orElse(0L);
	}

	void yieldLeadership() {
		this.initiator.getContext().yield();
	}

	/** Whether the lock has no row, so that anybody may have it at once. */
	boolean isRowGone() {
		return this.client.find(KEY).isEmpty();
	}

	/** Whom the lock's row names, or nobody. */
	String ownerInTable() {
		return this.client.find(KEY).map(LockRecord::ownerName).orElse("nobody");
	}

	@Override
	public void close() {
		this.initiator.stop();
		this.client.close();
		this.dynamoDb.close();
	}

}
