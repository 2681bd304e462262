/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.JobRun;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JobEventTests {

	private static final Instant TICK = Instant.parse("2026-11-23T02:00:00Z");

	private final LockClient client = LockClient.builder(InMemoryDynamoDb.withLockTable("locks")).build();

	private final LockedJob job = new LockedJob("nightly-report", LockKey.of("nightly-report"), false,
			"Reports.nightly", JobSchedule.cron("0 0 2 * * *", ZoneOffset.UTC), 3, OnMissed.SKIP, null, this.client);

	private final JobRun run = new JobRun(this.job, TICK, 1);

	private final List<Object> published = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.client.close();
	}

	@Test
	void whatHappensIsPublishedInItsOrder() {
		Throwable failure = new IllegalStateException("no printer");
		JobEventPublisher publisher = new JobEventPublisher(this.published::add);
		publisher.onMissed(this.job, List.of(TICK), true);
		publisher.onCrashed(this.job, TICK, true);
		publisher.onStarted(this.run);
		publisher.onFinished(this.run, Duration.ofSeconds(3), JobOutcome.FAILED, failure);
		publisher.onFinished(this.run, Duration.ofSeconds(3), JobOutcome.SUCCEEDED, null);
		assertThat(this.published).containsExactly(new JobMissedEvent(this.job, List.of(TICK), true),
				new JobCrashedEvent(this.job, TICK, true), new JobStartedEvent(this.run),
				new JobFinishedEvent(this.run, Duration.ofSeconds(3), JobOutcome.FAILED, Optional.of(failure)),
				new JobFinishedEvent(this.run, Duration.ofSeconds(3), JobOutcome.SUCCEEDED, Optional.empty()));
		assertThat(this.published).extracting((event) -> ((JobEvent) event).job()).containsOnly(this.job);
	}

	@Test
	void missedTicksAreCopied() {
		List<Instant> ticks = new ArrayList<>(List.of(TICK));
		JobMissedEvent event = new JobMissedEvent(this.job, ticks, false);
		ticks.clear();
		assertThat(event.ticks()).containsExactly(TICK);
	}

}
