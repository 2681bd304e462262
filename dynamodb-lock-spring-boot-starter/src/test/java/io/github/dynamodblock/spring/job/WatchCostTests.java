/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.ZoneOffset;

import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a node sends that was refused a tick, by a real lock client in virtual time.
 */
class WatchCostTests {

	private final HandDrivenNode.Nodes nodes = new HandDrivenNode.Nodes(
			new DynamoDbLockStore(InMemoryDynamoDb.withLockTable("locks"), SimulatedProcess.SCHEMA))
		.schedule(JobSchedule.cron("0 0 * * * *", ZoneOffset.UTC));

	@Test
	void aWatchIsOneReadInNineTenthsOfALeaseAndEndsWithAReadAndARefusedWrite() {
		HandDrivenNode owner = this.nodes.up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.pass(Duration.ofHours(1));
		owner.tick();
		this.nodes.pass(Duration.ofMillis(100));
		watching.tick();
		this.nodes.pass(Duration.ofMillis(100));
		// The clock is checked by an answer, which is a read at first.
		assertThat(watching.process().reads()).as("reads of a refusal").isEqualTo(1);
		assertThat(watching.process().writes()).as("writes of a refusal").isEqualTo(1);
		this.nodes.pass(SimulatedProcess.LEASE.multipliedBy(9));
		assertThat(watching.process().writes()).isEqualTo(1);
		int reads = watching.process().reads();
		assertThat(reads - 1).as("reads in nine leases").isBetween(9, 10);

		owner.end(null);
		this.nodes.pass(SimulatedProcess.LEASE.multipliedBy(9));
		assertThat(watching.process().reads() - reads).as("reads after the end").isEqualTo(1);
		assertThat(watching.process().writes()).isEqualTo(2);
		assertThat(owner.process().reads()).isEqualTo(1);
	}

}
