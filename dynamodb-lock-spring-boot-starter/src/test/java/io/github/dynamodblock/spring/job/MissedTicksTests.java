/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ticks that no node ran, by real lock clients on one table in virtual time. Ticks are
 * minutes, and a lease is 3 s.
 */
class MissedTicksTests {

	private static final Duration LEASES = SimulatedProcess.LEASE.multipliedBy(3);

	private final HandDrivenNode.Nodes nodes = new HandDrivenNode.Nodes(
			new DynamoDbLockStore(InMemoryDynamoDb.withLockTable("locks"), SimulatedProcess.SCHEMA));

	@Test
	void missedTicksAreReportedOnceAcrossNodesAndCrashes() {
		HandDrivenNode first = this.nodes.up();
		HandDrivenNode second = this.nodes.up();
		this.nodes.run(first, 1);
		this.nodes.passTo(4);
		first.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		first.crash();
		assertThat(first.events()).endsWith("missed [0:2, 0:3]", "started 0:4 #1");
		second.open();
		this.nodes.pass(LEASES);
		second.end(null);
		this.nodes.run(second, 5);
		assertThat(second.events()).containsExactly("crashed 0:4, rerun", "started 0:4 #2", "SUCCEEDED 0:4",
				"started 0:5 #1", "SUCCEEDED 0:5");
	}

	@ParameterizedTest
	@CsvSource({ "RUN_ONCE, 2", "SKIP, 1" })
	void ticksDuringALongRunOfTheOnlyNodeAreMadeUpFor(OnMissed onMissed, int runs) {
		HandDrivenNode node = this.nodes.onMissed(onMissed).up();
		this.nodes.passTo(1);
		node.tick();
		this.nodes.passTo(4);
		this.nodes.pass(Duration.ofSeconds(10));
		node.end(null);
		this.nodes.pass(LEASES);
		assertThat(node.events()).containsExactlyElementsOf(
				List.of("started 0:1 #1", "SUCCEEDED 0:1", "missed [0:2, 0:3]", "started 0:4 #1").subList(0, 2 * runs));
	}

	@Test
	void ticksOfAJobWithAKeyAreNotMadeUpForUnderItsOldValue() {
		HandDrivenNode node = this.nodes.onMissed(OnMissed.RUN_ONCE).keyed().up();
		this.nodes.passTo(1);
		node.tick();
		this.nodes.passTo(4);
		this.nodes.pass(Duration.ofSeconds(10));
		node.end(null);
		this.nodes.pass(LEASES);
		assertThat(node.events()).containsExactly("started 0:1 #1", "SUCCEEDED 0:1");
	}

	@Test
	void aRunWithoutMissedTicksIsFollowedByNone() {
		HandDrivenNode node = this.nodes.onMissed(OnMissed.RUN_ONCE).up();
		this.nodes.run(node, 1);
		this.nodes.passTo(2);
		this.nodes.pass(Duration.ofSeconds(30));
		assertThat(node.events()).containsExactly("started 0:1 #1", "SUCCEEDED 0:1");
	}

	@Test
	void aTickThatCrashedUnseenIsNotMissed() {
		HandDrivenNode first = this.nodes.up();
		HandDrivenNode second = this.nodes.up();
		this.nodes.passTo(1);
		first.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		first.crash();
		this.nodes.passTo(3);
		second.tick();
		this.nodes.pass(LEASES);
		assertThat(second.events()).containsExactly("crashed 0:1", "missed [0:2]", "started 0:3 #1");
	}

	@Test
	void ticksWhileAContextIsStoppedAreMissed() {
		HandDrivenNode node = this.nodes.up();
		this.nodes.run(node, 1);
		node.runs().close();
		this.nodes.passTo(4);
		node.runs().reopen();
		node.open();
		this.nodes.pass(LEASES);
		assertThat(node.events()).containsExactly("started 0:1 #1", "SUCCEEDED 0:1");
		this.nodes.run(node, 5);
		assertThat(node.events()).containsExactly("missed [0:2, 0:3, 0:4]", "started 0:5 #1", "SUCCEEDED 0:5");
	}

}
