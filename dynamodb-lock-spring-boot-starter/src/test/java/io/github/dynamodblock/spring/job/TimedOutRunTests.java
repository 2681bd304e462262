/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.runtime.Releases;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs of a job that may hold its lock for 10 s, by real lock clients on one table in
 * virtual time. Ticks are minutes, and a lease is 3 s.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class TimedOutRunTests {

	private static final Duration LEASES = SimulatedProcess.LEASE.multipliedBy(3);

	private final HandDrivenNode.Nodes nodes = new HandDrivenNode.Nodes(
			new DynamoDbLockStore(InMemoryDynamoDb.withLockTable("locks"), SimulatedProcess.SCHEMA))
		.holdAtMost(Duration.ofSeconds(10));

	@Test
	void runsThatOverlapHaveTheirOwnDurations() {
		HandDrivenNode node = this.nodes.up();
		this.nodes.passTo(1);
		node.tick();
		this.nodes.passTo(2);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(5));
		node.end(null);
		node.end(null);
		assertThat(node.events()).containsExactly("started 0:1 #1", "started 0:2 #1", "TIMED_OUT 0:1", "SUCCEEDED 0:2");
		assertThat(node.durations()).extracting(Duration::toSeconds).containsExactly(64L, 4L);
	}

	@Test
	void aBodyThatOverrunsHoldAtMostIsRecordedAtTheLimitAndNeverRunAgain() {
		HandDrivenNode node = this.nodes.up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.tick();
		this.nodes.pass(Duration.ofSeconds(10));
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.TIMED_OUT);
		assertThat(this.nodes.record().isFinished()).isTrue();
		this.nodes.pass(LEASES);
		node.end(null);
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(this.nodes.record().outcome()).as("after the body").hasValue(JobOutcome.TIMED_OUT);
		assertThat(watching.events()).isEmpty();
		this.nodes.passTo(2);
		watching.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(watching.events()).as("the next tick").startsWith("started 0:2 #1");
	}

	@Test
	void aRunThatWasCutOffAtItsLimitIsNotRunAgain() {
		HandDrivenNode node = this.nodes.up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(9));
		watching.tick();
		node.cutOff(Duration.ofMinutes(5));
		this.nodes.pass(LEASES.multipliedBy(2));
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.TIMED_OUT);
		assertThat(watching.events()).isEmpty();
	}

	@Test
	void aRunThatMayHaveReachedItsLimitIsNotRunAgainAfterAnotherCall() {
		HandDrivenNode owner = this.nodes.up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		owner.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.tick();
		this.nodes.pass(Duration.ofSeconds(6));
		watching.cutOff(Duration.ofSeconds(15));
		this.nodes.pass(Duration.ofSeconds(1));
		owner.cutOff(Duration.ofMinutes(1));
		HandDrivenNode other = this.nodes.up();
		other.annotate(LockRequest.of(HandDrivenNode.KEY).waitTime(Duration.ofSeconds(10)));
		CompletableFuture<HeldLock> lock = other.callPlainly();
		this.nodes.pass(Duration.ofSeconds(5));
		Releases.begin(lock.join(), ReleaseRequest.create());
		this.nodes.pass(Duration.ofSeconds(30));
		assertThat(watching.events()).isEmpty();
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.TIMED_OUT);
	}

}
