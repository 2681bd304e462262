/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.runtime.Releases;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a node sends that was refused a tick, by a real lock client in virtual time.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the calls of the nodes show what fails
class WatchCostTests {

	private static final LockKey KEY = LockKey.of("report");

	private final SimulatedTime time = new SimulatedTime();

	private final DynamoDbLockStore store = new DynamoDbLockStore(InMemoryDynamoDb.withLockTable("locks"),
			SimulatedProcess.SCHEMA);

	@Test
	void aWatchIsOneReadInNineTenthsOfALeaseAndEndsWithAReadAndARefusedWrite() {
		Node owner = new Node("owner");
		Node watching = new Node("watching");
		CompletableFuture<HeldLock> lock = owner.tick();
		this.time.pass(Duration.ofMillis(100));
		watching.tick();
		this.time.pass(Duration.ofMillis(100));
		assertThat(watching.process.writes()).as("writes of a refusal").isEqualTo(1);
		assertThat(watching.process.reads()).as("reads of a refusal").isZero();
		this.time.pass(SimulatedProcess.LEASE.multipliedBy(9));
		assertThat(watching.process.writes()).isEqualTo(1);
		assertThat(watching.process.reads()).as("reads in nine leases").isBetween(9, 10);

		int reads = watching.process.reads();
		Releases.begin(lock.join(), owner.runs.ended(owner.start(), null));
		this.time.pass(SimulatedProcess.LEASE.multipliedBy(9));
		assertThat(watching.process.reads() - reads).as("reads after the end").isEqualTo(1);
		assertThat(watching.process.writes()).isEqualTo(2);
		assertThat(owner.process.reads()).isZero();
	}

	private final class Node {

		private final SimulatedProcess process;

		private final LockedJob job;

		private final JobRuns runs;

		Node(String name) {
			this.process = new SimulatedProcess(name, WatchCostTests.this.time, WatchCostTests.this.store,
					new Random(1), new SimulatedProcess.Network(0), Duration.ZERO);
			this.job = new LockedJob("report", KEY, "Report.run", JobSchedule.cron("0 0 * * * *", ZoneOffset.UTC),
					OnCrash.RERUN, 3, OnMissed.SKIP, this.process.client());
			this.runs = new JobRuns(this.process::wallClock, (delay, task) -> this.process.later(delay, task),
					new JobListener() {
					});
		}

		JobStart start() {
			return this.runs.tick(this.job, this::claim).orElseThrow();
		}

		CompletableFuture<HeldLock> tick() {
			return claim(start());
		}

		private CompletableFuture<HeldLock> claim(JobStart start) {
			LockRequest plain = LockRequest.of(KEY).waitTime(Duration.ZERO);
			CompletableFuture<HeldLock> granted = this.process.client()
				.acquireAsync(start.claim(plain, this.process.toString()), Runnable::run);
			return granted.whenComplete((lock, failure) -> {
				if (lock != null) {
					this.runs.started(start, lock.record());
				}
				else {
					Throwable cause = (failure instanceof CompletionException)
							? Objects.requireNonNull(failure.getCause()) : failure;
					this.runs.refused(start, (LockNotGrantedException) cause);
				}
			});
		}

	}

}
