/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.job.CheckedJobClock;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.JobStart;
import io.github.dynamodblock.spring.job.LockedJob;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A job with {@code @ScheduledLock}: what the starter does around a call, without Spring
 * Boot.
 */
final class ScheduledLockJob implements JobRunner {

	private final LockClient client;

	private final LockedJob job;

	private final JobRuns runs;

	/** Starts further attempts, of which there are none, since no node crashes. */
	private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

	@SuppressWarnings("FutureReturnValueIgnored") // what fails is missing in the numbers
	ScheduledLockJob(DynamoDbClient dynamoDb, String table, String job, String cron, Clock clock, Duration lease) {
		this.client = LockClient.builder(dynamoDb).tableName(table).leaseDuration(lease).build();
		this.job = new LockedJob(job, LockKey.of(job), "Benchmark", JobSchedule.cron(cron, ZoneOffset.UTC),
				OnCrash.RERUN, 3, OnMissed.SKIP, this.client);
		this.runs = new JobRuns(new CheckedJobClock(clock, Duration.ofSeconds(30)),
				(delay, task) -> this.scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS),
				new JobListener() {
				});
		this.runs.open(this.job, this.job.ledger(), this::watched);
	}

	@Override
	public void tick(Instant now, Runnable body) throws InterruptedException {
		Optional<JobStart> start = this.runs.tick(this.job, this::watched);
		if (start.isPresent()) {
			run(start.get(), body);
		}
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what fails is missing in the numbers
	private void watched(JobStart start) {
		this.scheduler.submit(() -> {
			Optional<JobStart> begun = this.runs.begin(start);
			if (begun.isPresent()) {
				run(begun.get(), () -> {
					throw new IllegalStateException("A run was started again, although no node has crashed: " + start);
				});
			}
			return null;
		});
	}

	private void run(JobStart start, Runnable body) throws InterruptedException {
		LockRequest plain = LockRequest.of(this.job.key()).waitTime(Duration.ZERO);
		HeldLock lock;
		try {
			lock = this.client.acquire(start.claim(plain, this.client.ownerName()));
		}
		catch (LockNotGrantedException ex) {
			this.runs.refused(start, ex);
			return;
		}
		this.runs.started(start, lock.record());
		body.run();
		lock.release(this.runs.ended(start, null));
	}

	@Override
	public void close() {
		this.runs.close();
		this.scheduler.shutdownNow();
		this.client.close();
	}

}
