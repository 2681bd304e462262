/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What nodes log about runs that did not end as usual.
 */
@ExtendWith(CapturedLogExtension.class)
class JobLogTests {

	private static final Duration LEASES = SimulatedProcess.LEASE.multipliedBy(3);

	private final HandDrivenNode.Nodes nodes = new HandDrivenNode.Nodes(
			new DynamoDbLockStore(InMemoryDynamoDb.withLockTable("locks"), SimulatedProcess.SCHEMA));

	@Test
	void aClaimWhoseBodyNeverBeganIsNoCrash(CapturedLog log) {
		HandDrivenNode node = this.nodes.attempts(1).up();
		this.nodes.passTo(1);
		node.claimWithoutBody();
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(this.nodes.record().startedAt()).isEmpty();
		this.nodes.run(node, 2);
		assertThat(node.events()).containsExactly("missed [0:1]", "started 0:2 #1", "SUCCEEDED 0:2");
		assertThat(log.toString()).doesNotContain("Crashed: tick " + SimulatedTime.BEGIN.plusSeconds(60));
	}

	@Test
	void theLogNamesTheNodeThatDiedAndSaysThatDynamoDbMayBeTheCause(CapturedLog log) {
		HandDrivenNode owner = this.nodes.up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		owner.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.tick();
		owner.crash();
		this.nodes.pass(LEASES);
		assertThat(log.toString()).containsPattern(
				"WARN .*Crashed: tick .*Node '" + owner.process().client().ownerName() + "' died, was paused");
		watching.end(null);
		this.nodes.run(watching, 9);
		assertThat(log.toString())
			.containsPattern("WARN .*Missed ticks .*could reach DynamoDB, .*the process was paused");
	}

	@Test
	void theLogSaysThatARunWasInterruptedAndThatItStartsAgain(CapturedLog log) {
		HandDrivenNode closing = this.nodes.up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		closing.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.tick();
		closing.runs().close();
		closing.runs().interrupt();
		closing.end(new IllegalStateException("no paper"));
		this.nodes.pass(LEASES);
		assertThat(log.toString()).containsPattern("INFO .*Interrupted: attempt 1 .*Another node starts the attempt")
			.containsPattern("INFO .*Starting attempt 1 .*because another node was shut down during this attempt");
	}

	@Test
	void aTickThatIsBeingClaimedWhenTheContextClosesIsSkipped() {
		HandDrivenNode closing = this.nodes.up();
		this.nodes.passTo(1);
		JobCall tick = closing.runs().tick(closing.job(), closing).orElseThrow();
		LockClientClosedException closed = new LockClientClosedException("The lock client is closed");
		assertThat(tick.refused(closed)).as("skipped while the context is open").isFalse();
		closing.runs().close();
		assertThat(tick.refused(closed)).as("skipped").isTrue();
	}

	@Test
	void ticksThatANodeMissesWhileItsContextIsPausedAreNoWarning(CapturedLog log) {
		HandDrivenNode node = this.nodes.up();
		this.nodes.run(node, 1);
		node.runs().close();
		this.nodes.passTo(4);
		node.runs().reopen();
		this.nodes.run(node, 5);
		assertThat(log.toString()).containsPattern("INFO .*Missed ticks .*was stopped or paused")
			.doesNotContainPattern("WARN .*Missed ticks");
	}

}
