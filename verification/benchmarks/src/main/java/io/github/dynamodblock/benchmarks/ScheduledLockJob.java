/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.job.JobCall;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobExecutor;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A job with {@code @ScheduledLock}: what the starter does around a call, without Spring
 * Boot.
 */
final class ScheduledLockJob implements JobRunner, JobExecutor {

	private final LockClient client;

	private final LockedJob job;

	private final JobRuns runs;

	/** Starts further attempts, of which there are none, since no node crashes. */
	private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

	ScheduledLockJob(DynamoDbClient dynamoDb, String table, String job, String cron, Clock clock, Duration lease) {
		this.client = LockClient.builder(dynamoDb).tableName(table).leaseDuration(lease).build();
		this.job = new LockedJob(job, LockKey.of(job), false, "Benchmark", JobSchedule.cron(cron, ZoneOffset.UTC), 3,
				OnMissed.SKIP, null, this.client);
		LockedJobs jobs = new LockedJobs();
		this.runs = new JobRuns(null, new JobClock(clock, Duration.ofSeconds(30)), List.of(), jobs);
		jobs.add(this.job, this);
		this.runs.open(this);
	}

	@Override
	public void tick(Runnable body) throws InterruptedException {
		Optional<JobCall> call = this.runs.tick(this.job, this);
		if (call.isPresent()) {
			run(call.get(), body);
		}
	}

	@Override
	public Runnable later(Duration delay, Runnable task) {
		Future<?> scheduled = this.scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
		return () -> scheduled.cancel(false);
	}

	/** A node that watches a run asks for it once a lease. */
	@Override
	public void call(JobCall call) {
		try {
			run(call, () -> {
				throw new IllegalStateException("A run was started again, although no node has crashed: " + call);
			});
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void runNow(LockedJob called) {
		throw new UnsupportedOperationException("No operator runs " + called);
	}

	@Override
	public void fire(Runnable ended) {
		throw new UnsupportedOperationException("No test fires " + this.job);
	}

	private void run(JobCall call, Runnable body) throws InterruptedException {
		HeldLock lock;
		try {
			lock = this.client.acquire(call.claim(LockRequest.of(this.job.key())));
		}
		catch (LockNotGrantedException ex) {
			call.refused(ex);
			return;
		}
		call.started(lock);
		body.run();
		lock.release(call.ended(null));
	}

	@Override
	public void close() {
		this.runs.close();
		this.scheduler.shutdownNow();
		this.client.close();
	}

}
