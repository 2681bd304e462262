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
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.verify;

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
	void aBeanHasOneJobAndAJobItsLatestBean() {
		LockedJobs jobs = new LockedJobs();
		JobExecutor first = Mockito.mock(JobExecutor.class);
		JobExecutor second = Mockito.mock(JobExecutor.class);
		jobs.add(job("tenant:a", true), first);
		jobs.add(job("tenant:b", true), first);
		assertThat(jobs.all()).extracting(LockedJob::id).containsExactly("tenant:b");
		assertThat(jobs.find("tenant:a")).isEmpty();
		jobs.add(job("tenant:b", true), second);
		jobs.runNow(job("tenant:b", true));
		verify(second).runNow(any());
		jobs.remove(second);
		jobs.runNow(job("tenant:b", true));
		verify(first).runNow(any());
		jobs.remove(first);
		assertThat(jobs.all()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> jobs.runNow(job("tenant:b", true)));
	}

	private LockedJob job(String key, boolean keyed) {
		return new LockedJob("report", LockKey.of(key), keyed, "Reports.make()",
				JobSchedule.fixedRate(Duration.ofMinutes(1)), 3, OnMissed.SKIP, null, this.client);
	}

}
