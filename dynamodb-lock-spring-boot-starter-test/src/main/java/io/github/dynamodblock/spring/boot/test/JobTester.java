/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.job.JobCall;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobExecutor;
import io.github.dynamodblock.spring.job.JobRecord;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.support.TaskUtils;
import org.springframework.util.StringUtils;

/**
 * Makes the jobs of an application due in a test, without waiting for the clock. Each
 * application context of Spring's TestContext Framework contains this bean.
 *
 * <pre class="code"> &#64;SpringBootTest class NightlyReportTests {
 *
 * &#64;Autowired JobTester jobs;
 *
 * &#64;Test void aCrashedRunIsRunAgain() { jobs.crash("nightly-report");
 * assertThat(jobs.rerun("nightly-report").attempt()).isEqualTo(2); }
 *
 * } </pre>
 *
 * <p>
 * A job is identified by its {@linkplain LockedJob#id() id}. Methods move the clock of
 * the application's jobs ahead, but leases take real time. Requires
 * {@code @EnableScheduling}, and an application without its own {@link JobClock}. Not
 * thread-safe.
 */
public final class JobTester {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration POLL = Duration.ofMillis(10);

	/** The lease of a crashed node. It is short, because others wait until it ends. */
	private static final Duration LEASE = Duration.ofMillis(500);

	private final ObjectProvider<LockedJobs> jobs;

	private final JobClock clock;

	private final ObjectProvider<LockClientBuilder> clients;

	private final Environment environment;

	JobTester(ObjectProvider<LockedJobs> jobs, JobClock clock, ObjectProvider<LockClientBuilder> clients,
			Environment environment) {
		this.jobs = jobs;
		this.clock = clock;
		this.clients = clients;
		this.environment = environment;
	}

	/**
	 * Moves the clock to the job's next tick, and calls the method in another thread, as
	 * the scheduler does. If the method throws, that is logged and recorded, as in
	 * production.
	 * @param id the id of the job
	 * @return the job's record, once the run has ended. If no run began, for example
	 * because the lock is held or the job is paused, it shows the previous tick.
	 * @throws IllegalArgumentException if the application has no such job
	 * @throws IllegalStateException if the run has not ended after 30 s, or the method
	 * cannot be called
	 */
	public JobRecord tick(String id) {
		LockedJob job = find(id);
		moveToNext(job);
		return fire(job);
	}

	/**
	 * Moves the clock to the job's next tick without calling the method. The next run
	 * reports the tick as missed.
	 * @param id the id of the job
	 * @return the tick
	 * @throws IllegalArgumentException if the application has no such job, or it has no
	 * cron expression
	 * @throws IllegalStateException if the job has never run, because no tick is then
	 * missed
	 */
	public Instant miss(String id) {
		LockedJob job = find(id);
		if (!(job.schedule() instanceof JobSchedule.Cron)) {
			throw new IllegalArgumentException(job + " has no cron expression, so it misses no ticks");
		}
		if (record(job).tick().isEmpty()) {
			throw new IllegalStateException(job + " has never run, so it has no missed ticks. Call tick first");
		}
		return moveToNext(job);
	}

	/**
	 * Lets another node start the job's next tick and crash.
	 * @param id the id of the job, which uses the default lock client
	 * @return the job's record, which shows the run of the other node
	 * @throws IllegalArgumentException if the application has no such job
	 * @throws IllegalStateException if the other node cannot start the tick, for example
	 * because the lock is held or the job is paused
	 */
	public JobRecord crash(String id) {
		LockedJob job = find(id);
		Instant tick = moveToNext(job);
		try (LockClient crashing = this.clients.getObject()
			.ownerName("crashed-node")
			.leaseDuration(LEASE)
			.heartbeatPeriod(LEASE.dividedBy(4))
			.build()) {
			String application = this.environment.getProperty("spring.application.name");
			JobRuns node = new JobRuns(StringUtils.hasText(application) ? application : null, this.clock, List.of(),
					new LockedJobs());
			LockedJob theirs = new LockedJob(job.name(), job.key(), job.keyed(), job.location(), job.schedule(),
					job.attempts(), job.onMissed(), job.holdAtMost(), crashing);
			JobCall call = node.tick(theirs, new CrashingNode())
				.orElseThrow(() -> new IllegalStateException("No tick of " + job + " is due at " + tick));
			call.started(crashing.acquire(call.claim(LockRequest.of(job.key()))));
		}
		catch (LockException ex) {
			throw new IllegalStateException("Another node cannot begin the tick " + tick + " of " + job, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while another node began a tick of " + job, ex);
		}
		// The lock of a run stays held when its client is closed.
		JobRecord record = record(job);
		if (record.node().filter((node) -> node.startsWith("crashed-node")).isEmpty()) {
			throw new IllegalStateException(job + " does not use the default lock client, which the other node used");
		}
		return record;
	}

	/**
	 * Calls the method for the tick of a crashed node, and waits until this node has
	 * rerun the tick, which starts when the lease of the crashed node has ended.
	 * @param id the id of the job, whose last tick has {@linkplain #crash crashed}
	 * @return the job's record, once the run has ended. If the tick is not rerun because
	 * no attempt is left, the record shows how it ended.
	 * @throws IllegalArgumentException if the application has no such job
	 * @throws IllegalStateException if the tick is not rerun within 30 s, or no run has
	 * crashed
	 */
	public JobRecord rerun(String id) {
		LockedJob job = find(id);
		JobRecord crashed = record(job);
		if (crashed.tick().isEmpty() || crashed.isFinished()) {
			throw new IllegalStateException("No run of " + job + " has crashed: " + crashed);
		}
		fire(job);
		await(job, () -> record(job).isFinished());
		return record(job);
	}

	/**
	 * Returns the record of a job.
	 * @param id the id of the job
	 * @return the record, which is empty if the job never ran
	 * @throws IllegalArgumentException if the application has no such job
	 */
	public JobRecord record(String id) {
		return record(find(id));
	}

	private static JobRecord record(LockedJob job) {
		return job.record().orElse(JobRecord.NONE);
	}

	private Instant moveToNext(LockedJob job) {
		if (!(this.clock instanceof TestJobClock movable)) {
			throw new IllegalStateException("The application defines the JobClock bean " + this.clock
					+ ", which a test cannot move. Define it in a configuration that tests do not import");
		}
		Instant now = this.clock.now();
		Instant next = job.next(now, record(job)).filter((tick) -> tick.isAfter(now)).orElse(now);
		movable.moveTo(next);
		return next;
	}

	/** Calls the method in a thread without the locks and the transaction of the test. */
	private JobRecord fire(LockedJob job) {
		JobRecord before = record(job);
		CompletableFuture<Void> called = CompletableFuture.runAsync(() -> this.jobs.getObject().tick(job).join(),
				(task) -> new Thread(task, "job-tester").start());
		await(job, called::isDone);
		// If the method returned a future, the lock stays held until that ends, in real
		// time.
		await(job, () -> !record(job).isRunning(Instant.now()));
		JobRecord after = record(job);
		boolean begun = !after.tick().equals(before.tick()) || after.attempt() != before.attempt();
		Throwable failure = failure(called);
		if (failure != null && !begun) {
			throw new IllegalStateException(job + " could not be called", failure);
		}
		if (failure != null) {
			TaskUtils.LOG_AND_SUPPRESS_ERROR_HANDLER.handleError(failure);
		}
		if (job.keyed() && this.jobs.getObject().find(job.id()).isEmpty()) {
			throw new IllegalStateException("The key of " + job + " has a new value. Use it to name the job");
		}
		return after;
	}

	private static @Nullable Throwable failure(CompletableFuture<Void> called) {
		try {
			called.join();
			return null;
		}
		catch (CompletionException ex) {
			return ex.getCause();
		}
	}

	private static void await(LockedJob job, BooleanSupplier condition) {
		long begin = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - begin > PATIENCE.toNanos()) {
				throw new IllegalStateException(
						job + " has not ended after " + PATIENCE.toSeconds() + " s: " + record(job));
			}
			try {
				Thread.sleep(POLL.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted while waiting for " + job, ex);
			}
		}
	}

	private LockedJob find(String id) {
		LockedJobs all = this.jobs.getObject();
		return all.find(id)
			.orElseThrow(() -> new IllegalArgumentException("This application has no job '" + id + "'. Its jobs are "
					+ all.all().stream().map(LockedJob::id).collect(Collectors.joining(", ", "[", "]"))
					+ ". A job exists only if scheduling (@EnableScheduling) and locks are enabled. A job that another "
					+ "scheduler calls in LockedJobs.tick exists after its first call"));
	}

	/** A node that crashes. It runs nothing. */
	private static final class CrashingNode implements JobExecutor {

		@Override
		public Runnable later(Duration delay, Runnable task) {
			return () -> {
			};
		}

		@Override
		public void call(JobCall call) {
			throw new UnsupportedOperationException("It has crashed");
		}

		@Override
		public void fire(Runnable ended) {
			throw new UnsupportedOperationException("It has crashed");
		}

		@Override
		public void runNow(LockedJob job) {
			throw new UnsupportedOperationException("It has crashed");
		}

	}

}
