/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.ZoneOffset;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.runtime.Releases;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a node keeps of a job whose schedule, key or bean changes, in virtual time. Ticks
 * are minutes, and a lease is 3 s.
 */
class JobEntryTests {

	private static final Duration LEASES = SimulatedProcess.LEASE.multipliedBy(3);

	private final HandDrivenNode.Nodes nodes = new HandDrivenNode.Nodes(
			new DynamoDbLockStore(InMemoryDynamoDb.withLockTable("locks"), SimulatedProcess.SCHEMA));

	@Test
	void aChangedScheduleOwesNoTicksOfBefore() {
		HandDrivenNode node = this.nodes.up();
		this.nodes.run(node, 1);
		node.has(JobSchedule.cron("0 2-59 * * * *", ZoneOffset.UTC));
		this.nodes.passTo(4);
		this.nodes.pass(Duration.ofSeconds(30));
		node.open();
		this.nodes.pass(Duration.ofSeconds(10));
		assertThat(node.events()).containsExactly("started 0:1 #1", "SUCCEEDED 0:1");
		this.nodes.passTo(5);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(node.events()).containsExactly("started 0:5 #1");
	}

	@Test
	void aTickOfAnOlderBeanForgetsNothingOfTheLatestSchedule() {
		HandDrivenNode node = this.nodes.up();
		LockedJob declared = node.job();
		JobExecutor older = Mockito.mock(JobExecutor.class);
		node.jobs().add(declared, older);
		node.has(JobSchedule.cron("0 2-59 * * * *", ZoneOffset.UTC));
		this.nodes.run(node, 2);
		JobEntry entry = node.jobs().put(declared, older);
		assertThat(entry.job().schedule()).isEqualTo(node.job().schedule());
		assertThat(entry.called()).isEqualTo(this.nodes.record().tick().orElseThrow());
	}

	@Test
	@SuppressWarnings("FutureReturnValueIgnored") // the test observes what the release
													// writes
	void aLateReadOfARecordLeavesABeanWithTheKeyOfItsLastTick() {
		HandDrivenNode node = this.nodes.keyed().up();
		node.open();
		HandDrivenNode owner = this.nodes.up();
		owner.has(LockKey.of("report:b"));
		HeldLock lock = this.nodes.call(owner);
		node.has(LockKey.of("report:b"));
		this.nodes.passTo(1);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		node.read();
		Releases.begin(lock, ReleaseRequest.create());
		this.nodes.pass(LEASES);
		assertThat(node.events()).containsExactly("started 0:1 #1");
	}

	@Test
	void aTickThatWasDueWithoutABeanStartsWhenOneIsCreated() {
		HandDrivenNode node = this.nodes.up();
		this.nodes.run(node, 1);
		node.events();
		this.nodes.passTo(2);
		node.cutOff(Duration.ofSeconds(12));
		node.tick();
		this.nodes.pass(Duration.ofSeconds(11));
		node.destroy();
		this.nodes.pass(Duration.ofSeconds(20));
		assertThat(node.events()).isEmpty();
		node.open();
		this.nodes.pass(Duration.ofSeconds(10));
		assertThat(node.events()).containsExactly("started 0:2 #1");
	}

	@Test
	void aNodeKeepsNothingOfTheKeysThatItsJobHad() {
		HandDrivenNode node = this.nodes.keyed().up();
		HandDrivenNode other = this.nodes.up();
		this.nodes.run(node, 1);
		this.nodes.passTo(2);
		other.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		node.tick();
		assertThat(node.jobs().entries()).hasSize(1);
		for (int minute = 3; minute < 6; minute++) {
			this.nodes.passTo(minute);
			node.has(LockKey.of("report:" + minute));
			node.tick();
			this.nodes.pass(Duration.ofSeconds(1));
			node.end(null);
			this.nodes.pass(Duration.ofSeconds(1));
			assertThat(node.jobs().all()).extracting(LockedJob::key).containsExactly(LockKey.of("report:" + minute));
			assertThat(node.jobs().entries()).as("with that of the tick before").hasSizeLessThanOrEqualTo(2);
		}
	}

}
