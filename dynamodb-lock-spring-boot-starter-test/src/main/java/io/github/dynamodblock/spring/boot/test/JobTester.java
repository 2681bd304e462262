/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.job.JobCall;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobExecutor;
import io.github.dynamodblock.spring.job.JobRecord;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.support.TaskUtils;

/**
 * Makes the jobs of an application due in a test, without waiting for the clock. It is a
 * bean of each application context of Spring's TestContext Framework.
 *
 * <pre class="code">
 * &#64;SpringBootTest
 * class NightlyReportTests {
 *
 *     &#64;Autowired
 *     JobTester jobs;
 *
 *     &#64;Test
 *     void aCrashedRunIsRunAgain() {
 *         jobs.crash("nightly-report");
 *         assertThat(jobs.rerun("nightly-report").attempt()).isEqualTo(2);
 *     }
 *
 * }
 * </pre>
 *
 * <p>
 * A job is named by its {@linkplain LockedJob#id() id}. Each method moves the clock of
 * the application's jobs ahead; leases take real time. Needs {@code @EnableScheduling},
 * and that the application defines no {@link JobClock}. Not for several threads at a
 * time.
 */
public final class JobTester {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration POLL = Duration.ofMillis(10);

	/** Of a node that crashes: the shortest, since others wait until it ends. */
	private static final Duration LEASE = Duration.ofMillis(100);

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
	 * Moves the clock to the job's next tick, and calls the method as the scheduler does.
	 * If the method throws, that is logged and recorded, as in production.
	 * @param id the id of the job
	 * @return the job's record, once the run has ended. If no run began, because the lock
	 * is held or the job is paused for example, it shows the tick before
	 * @throws IllegalArgumentException if the application has no such job
	 * @throws IllegalStateException if the run has not ended after 30 s
	 */
	public JobRecord tick(String id) {
		LockedJob job = find(id);
		moveToNext(job);
		return fire(job);
	}

	/**
	 * Moves the clock past the job's next tick, for which no node calls the method. The
	 * next run reports it.
	 * @param id the id of the job, which has a cron expression
	 * @return the tick
	 * @throws IllegalArgumentException if the application has no such job
	 */
	public Instant miss(String id) {
		return moveToNext(find(id));
	}

	/**
	 * Lets another node begin the job's next tick, and crash.
	 * @param id the id of the job
	 * @return the job's record, which shows the run of the other node
	 * @throws IllegalArgumentException if the application has no such job
	 * @throws IllegalStateException if the other node cannot begin the tick, because the
	 * lock is held or the job is paused
	 */
	public JobRecord crash(String id) {
		LockedJob job = find(id);
		moveToNext(job);
		try (LockClient crashing = this.clients.getObject()
			.ownerName("crashed-node")
			.leaseDuration(LEASE)
			.heartbeatPeriod(LEASE.dividedBy(4))
			.build()) {
			JobRuns node = new JobRuns(this.environment.getProperty("spring.application.name"), this.clock, List.of(),
					new LockedJobs());
			LockedJob theirs = new LockedJob(job.name(), job.key(), job.keyed(), job.location(), job.schedule(),
					job.attempts(), job.onMissed(), job.holdAtMost(), crashing);
			JobCall call = node.tick(theirs, new CrashingNode())
				.orElseThrow(() -> new IllegalStateException("Another node cannot begin the next tick of " + job));
			HeldLock lock = crashing.acquire(call.claim(LockRequest.of(job.key())));
			call.started(lock);
			// The lock of a run stays held when its client is closed.
			return record(job);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while another node began the next tick of " + job, ex);
		}
	}

	/**
	 * Calls the method for the tick of a node that crashed, and awaits that this node
	 * runs the tick again: as soon as the lease of the crashed node has ended.
	 * @param id the id of the job, whose last tick has {@linkplain #crash crashed}
	 * @return the job's record, once the run has ended. If it is not run again, because
	 * no attempt is left, the record says how it ended
	 * @throws IllegalArgumentException if the application has no such job
	 * @throws IllegalStateException if the tick is not run again within 30 s, or nothing
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

	private JobRecord fire(LockedJob job) {
		CompletableFuture<?> ended = CompletableFuture.completedFuture(null);
		try {
			ended = this.jobs.getObject().tick(job);
		}
		catch (RuntimeException ex) {
			TaskUtils.LOG_AND_SUPPRESS_ERROR_HANDLER.handleError(ex);
		}
		await(job, ended::isDone);
		// A future that the method returned goes on with the lock, whose times are real.
		await(job, () -> !record(job).isRunning(Instant.now()));
		return record(job);
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
		LockedJobs all = this.jobs.getIfAvailable();
		if (all == null) {
			throw new IllegalArgumentException("This application has no locks, so it has no job '" + id + "'");
		}
		return all.find(id)
			.orElseThrow(() -> new IllegalArgumentException("This application has no job '" + id + "'. Its jobs are "
					+ all.all().stream().map(LockedJob::id).collect(Collectors.joining(", ", "[", "]"))
					+ "; methods are scheduled with @EnableScheduling only"));
	}

	/** Nothing of it runs: it crashes. */
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
		public void tick(Runnable ended) {
			throw new UnsupportedOperationException("It has crashed");
		}

		@Override
		public void runNow(LockedJob job) {
			throw new UnsupportedOperationException("It has crashed");
		}

	}

}
