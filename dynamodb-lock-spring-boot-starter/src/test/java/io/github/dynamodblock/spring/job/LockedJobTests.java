/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LockedJobTests {

	private final LockClient client = LockClient.builder(InMemoryDynamoDb.withLockTable("locks")).build();

	@AfterEach
	void closeClient() {
		this.client.close();
	}

	@Test
	void aJobThatRunsAllTheTimeIsPausedAndGoesOn() throws InterruptedException {
		LockedJob job = job("report", false);
		try (HeldLock run = this.client.acquire(job.key())) {
			job.pause("stock-taking");
			assertThat(job.record().flatMap(JobRecord::paused)).hasValue("stock-taking");
			run.renew();
			assertThat(run.isHeld()).isTrue();
			job.resume();
			assertThat(job.record().flatMap(JobRecord::paused)).isEmpty();
			run.renew();
		}
	}

	@Test
	void aJobThatNeverRanIsPaused() throws InterruptedException {
		LockedJob job = job("report", false);
		job.pause("stock-taking");
		assertThat(job.record().flatMap(JobRecord::paused)).hasValue("stock-taking");
		assertThat(this.client.tryAcquire("report")).as("its lock").isPresent();
	}

	@Test
	void jobsWithAKeyAreListedUpToALimit() {
		LockedJobs jobs = new LockedJobs();
		jobs.add(job("report", false), () -> {
		});
		for (int tenant = 0; tenant < 3_000; tenant++) {
			jobs.add(job("tenant:" + tenant % 1_500, true), () -> {
			});
		}
		assertThat(jobs.all()).hasSize(1_001);
		assertThat(jobs.find("report")).isPresent();
		assertThat(jobs.find("tenant:1499")).as("the last one").isPresent();
		assertThat(jobs.find("tenant:0")).as("the first one").isEmpty();
	}

	private LockedJob job(String key, boolean keyed) {
		return new LockedJob("report", LockKey.of(key), keyed, "Reports.make()",
				JobSchedule.fixedRate(Duration.ofMinutes(1)), 3, OnMissed.SKIP, null, this.client);
	}

}
