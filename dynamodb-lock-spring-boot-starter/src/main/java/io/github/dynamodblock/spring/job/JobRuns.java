/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;

/**
 * Starts the runs of a node's jobs. After each read and each refusal, {@link JobRun#next}
 * decides from the job's record whether this node starts a run. While the lock is held,
 * the node tries to start the run once per lease, shortly before the lease would expire.
 * Each attempt costs one read if the owner still renews the lock. No thread waits.
 *
 * <p>
 * This class does not acquire locks; a {@link JobCall} reports the results. Thread-safe.
 */
public final class JobRuns implements AutoCloseable {

	/** The delay before a claim that DynamoDB did not answer is repeated. */
	private static final Duration RETRY = Duration.ofSeconds(10);

	/** The delay before a lock whose lease is unknown is read again. */
	private static final Duration UNKNOWN_LEASE = Duration.ofSeconds(10);

	/** The delay before a run that follows another one, whose lock is being released. */
	private static final Duration UNTIL_RELEASED = Duration.ofSeconds(1);

	private static final Duration SHORTEST_DELAY = Duration.ofMillis(10);

	private final @Nullable String application;

	private final JobClock clock;

	private final JobReports reports;

	private final LockedJobs jobs;

	private volatile boolean closed;

	private volatile boolean interrupted;

	/**
	 * Creates the runs of a node.
	 * @param application the application's name, which the records of its runs show, or
	 * {@code null}
	 * @param clock the node's clock
	 * @param listeners the listeners, which are called in this order
	 * @param jobs the node's jobs
	 */
	public JobRuns(@Nullable String application, JobClock clock, List<JobListener> listeners, LockedJobs jobs) {
		this.jobs = jobs;
		this.application = JobRecord.recorded(application);
		this.clock = clock;
		this.reports = new JobReports(this.application, listeners);
	}

	/**
	 * Reads the record of a bean's job, and starts a run that did not finish or was
	 * missed. Reads nothing if this node knows that the job requires no action.
	 * @param bean a bean, whose job was {@linkplain LockedJobs#add added}
	 * @throws LockException if DynamoDB does not answer
	 */
	public void open(JobExecutor bean) {
		JobEntry entry = this.jobs.of(bean);
		if (entry == null) {
			return;
		}
		LockedJob job = entry.job();
		if (job.schedule() instanceof JobSchedule.Cron cron) {
			entry.calledBefore(cron.latest(Instant.EPOCH, this.clock.now()).orElse(null));
		}
		if (entry.isToRead()) {
			see(entry, job.record().orElse(JobRecord.NONE));
			next(entry).ifPresentOrElse((run) -> plan(entry, Duration.ZERO), () -> idle(entry));
		}
	}

	/**
	 * {@return whether {@link #open} reads a record}
	 * @param bean a bean, whose job may have been added
	 */
	public boolean isToOpen(JobExecutor bean) {
		JobEntry entry = this.jobs.of(bean);
		return entry != null && entry.isToRead();
	}

	/**
	 * Returns the call that starts the tick for which the scheduler has called.
	 * @param job the job
	 * @param executor runs the job
	 * @return the call; empty if this node does not start the tick now
	 */
	public Optional<JobCall> tick(LockedJob job, JobExecutor executor) {
		if (this.closed) {
			return Optional.empty();
		}
		JobEntry entry = enter(job, executor);
		entry.cancel();
		try {
			Optional<JobClock.Reading> now = this.clock.checked(entry.job());
			Optional<Instant> wanted = want(entry, now.map(JobClock.Reading::at).orElseGet(this.clock::now));
			if (now.isEmpty() || wanted.isEmpty()) {
				idle(entry);
				return Optional.empty();
			}
			return Optional.of(call(new JobRun(entry.job(), wanted.get(), 1, JobRecord.NONE, now.get(), null)));
		}
		catch (LockException ex) {
			want(entry, this.clock.now()).ifPresent((tick) -> failing(entry, tick, ex));
			return Optional.empty();
		}
	}

	/** Moves a bean to its job, whose key may have changed since the last call. */
	private JobEntry enter(LockedJob job, JobExecutor executor) {
		JobEntry before = this.jobs.of(executor);
		JobEntry entry = this.jobs.put(job, executor);
		if (before != null && before != entry) {
			entry.calledBefore(before.called());
			if (before.executor() == null) {
				before.cancel();
				idle(before);
			}
		}
		return entry;
	}

	/**
	 * Returns a call under a plain lock.
	 * @param job the job
	 * @return the call
	 */
	public JobCall call(LockedJob job) {
		return new Call(job, null);
	}

	private JobCall call(JobRun run) {
		return new Call(run.job(), run);
	}

	private static Optional<Instant> want(JobEntry entry, Instant now) {
		Optional<Instant> tick = entry.job().schedule().tick(now, entry.called());
		entry.wants(tick.orElse(null));
		return tick;
	}

	private Optional<JobRun> next(JobEntry entry) {
		return JobRun.next(entry.job(), entry.seen(), entry.wanted(), this.clock.read(entry.job()));
	}

	/** Carries out a plan with the runs that are due now. */
	private void wake(JobEntry entry) {
		if (this.closed) {
			return;
		}
		LockedJob job = entry.job();
		Optional<JobRun> due;
		try {
			if (job.limit() != null && entry.seen().isUnfinished()) {
				// Since the last read, its owner may have renewed the lock until the
				// limit.
				job.client().find(job.key()).ifPresent((found) -> see(entry, JobRecord.of(found)));
			}
			due = this.clock.checked(job).flatMap((now) -> JobRun.next(job, entry.seen(), entry.wanted(), now));
		}
		catch (LockException ex) {
			next(entry).ifPresent((run) -> failing(entry, run.tick(), ex));
			return;
		}
		JobExecutor executor = entry.executor();
		if (due.isPresent() && executor != null) {
			executor.call(call(due.get()));
			return;
		}
		if (due.isPresent()) {
			withoutBean(entry);
		}
		idle(entry);
	}

	private void withoutBean(JobEntry entry) {
		this.reports.withoutBean(entry.job());
		entry.settled(false);
	}

	/**
	 * Handles a run that did not get its lock.
	 * @return whether it may start later
	 */
	private boolean refused(JobRun run, RuntimeException failure) {
		boolean unanswered = failure instanceof LockStoreException || failure instanceof LockWaitInterruptedException;
		JobEntry entry = this.jobs.entry(run.job());
		if (entry != null && unanswered) {
			failing(entry, run.tick(), failure);
		}
		else if (entry != null && failure instanceof LockNotGrantedException refusal) {
			refused(entry, run, refusal);
		}
		// A tick that was being claimed when the context closed is left to other nodes.
		return unanswered || failure instanceof LockNotGrantedException
				|| (this.closed && failure instanceof LockClientClosedException);
	}

	/** Handles a run whose lock is held, or whose condition is not met. */
	private void refused(JobEntry entry, JobRun run, LockNotGrantedException refusal) {
		this.reports.answered(entry.job());
		LockRecord found = refusal.record().orElse(null);
		see(entry, (found != null) ? JobRecord.of(found) : JobRecord.NONE);
		Optional<JobRun> next = next(entry);
		if (next.isEmpty()) {
			idle(entry);
		}
		else if (found == null || refusal instanceof ConditionNotMetException) {
			// The same start would be refused again.
			plan(entry, next.get().condition().equals(run.condition()) ? RETRY : Duration.ZERO);
		}
		else {
			waits(entry, next.get().isFirst() ? next.get().tick() : null);
			plan(entry, untilNextRead(refusal, found));
		}
	}

	/** Returns the time until the lease would expire, or until shortly before that. */
	private static Duration untilNextRead(LockNotGrantedException refusal, LockRecord found) {
		Duration lease = found.leaseDuration();
		Duration rest = refusal.leaseRemaining().orElse(lease.isZero() ? UNKNOWN_LEASE : lease);
		Duration delay = (rest.compareTo(lease.dividedBy(2)) > 0) ? rest.minus(lease.dividedBy(10)) : rest;
		return (delay.compareTo(SHORTEST_DELAY) > 0) ? delay : SHORTEST_DELAY;
	}

	private void failing(JobEntry entry, Instant tick, RuntimeException failure) {
		this.reports.failing(entry.job(), RETRY, failure);
		waits(entry, tick);
		plan(entry, RETRY);
	}

	private void started(JobRun run, HeldLock lock) {
		JobRecord record = JobRecord.of(lock.record());
		JobEntry entry = this.jobs.entry(run.job());
		JobRecord before = run.seen();
		if (entry != null) {
			before = entry.seen();
			entry.cancel();
			this.reports.answered(entry.job());
			see(entry, record);
			idle(entry);
		}
		this.reports.started(run, record, before);
	}

	/** Handles a run that got its lock and did not begin. Nothing retries its tick. */
	private void unused(JobRun run) {
		JobEntry entry = this.jobs.entry(run.job());
		if (entry != null) {
			this.reports.answered(entry.job());
			Instant wanted = entry.wanted();
			if (wanted == null || wanted.equals(run.tick())) {
				// No later tick waits.
				idle(entry);
			}
		}
	}

	/** Plans a run for ticks that passed while the scheduler was busy with this one. */
	private void ended(JobRun run) {
		JobEntry entry = this.jobs.entry(run.job());
		if (entry == null) {
			return;
		}
		entry.settled(true);
		// Later ticks of a job with a key may belong to another lock.
		if (run.job().onMissed() == OnMissed.RUN_ONCE && !run.job().keyed()
				&& run.job().schedule() instanceof JobSchedule.Cron cron
				&& cron.latest(run.tick(), this.clock.now()).isPresent()) {
			plan(entry, UNTIL_RELEASED);
		}
	}

	/** Returns how a body ended, if it did not reach its limit. */
	private JobOutcome outcome(@Nullable Throwable failure) {
		if (failure == null) {
			return JobOutcome.SUCCEEDED;
		}
		// Spring cancels the subscriptions of scoped beans before it destroys anything.
		boolean ended = this.interrupted || (this.closed && failure instanceof CancellationException);
		return ended ? JobOutcome.INTERRUPTED : JobOutcome.FAILED;
	}

	private void see(JobEntry entry, JobRecord record) {
		this.reports.read(entry.job(), entry.seen(), record);
		entry.seen(record);
	}

	private void waits(JobEntry entry, @Nullable Instant tick) {
		this.reports.waits(entry.job(), tick);
	}

	private void idle(JobEntry entry) {
		waits(entry, null);
	}

	private void plan(JobEntry entry, Duration delay) {
		if (!this.closed && !entry.plan(delay, this::wake)) {
			withoutBean(entry);
			idle(entry);
		}
	}

	/**
	 * Allows runs to start again after {@link #close()}. The scheduler's earlier calls no
	 * longer count, so ticks in between are missed.
	 */
	public void reopen() {
		for (JobEntry entry : this.jobs.entries()) {
			entry.reset();
			idle(entry);
		}
		this.reports.resumed(this.clock.now());
		this.closed = false;
	}

	/**
	 * {@return whether this node starts no runs, because it is closed}
	 */
	public boolean isClosed() {
		return this.closed;
	}

	/**
	 * Ends all watches and prevents further runs. Runs in progress are not affected.
	 */
	@Override
	public void close() {
		this.reports.stopped(this.clock.now());
		this.closed = true;
		this.jobs.entries().forEach(JobEntry::cancel);
	}

	/**
	 * From now on, a failed body counts as interrupted by the shutdown. Before that,
	 * Spring only waits for runs, so a failed body has failed by itself.
	 */
	public void interrupt() {
		this.interrupted = true;
	}

	/** A call of a job's method, which reports its progress here. */
	private final class Call extends JobCall {

		private final LockedJob job;

		private final @Nullable JobRun run;

		private final CompletableFuture<@Nullable Void> answered = new CompletableFuture<>();

		private volatile @Nullable Granted granted;

		Call(LockedJob job, @Nullable JobRun run) {
			this.job = job;
			this.run = run;
		}

		@Override
		public LockedJob job() {
			return this.job;
		}

		@Override
		@Nullable JobRun run() {
			return this.run;
		}

		@Override
		public CompletableFuture<@Nullable Void> answered() {
			return this.answered;
		}

		@Override
		public LockRequest claim(LockRequest plain) {
			return (this.run != null) ? JobWrites.claim(this.run, plain, JobRuns.this.application)
					: plain.keptItem(KeptItem.create());
		}

		@Override
		public void started(HeldLock lock) {
			if (this.run != null) {
				JobRuns.this.started(this.run, lock);
				this.granted = new Granted(lock, JobRuns.this.clock.nanoTime());
			}
			if (!this.answered.complete(null) && this.answered.isCompletedExceptionally()) {
				throw new IllegalStateException("The caller of " + this.job + " no longer waits for it");
			}
		}

		@Override
		public boolean refused(RuntimeException failure) {
			this.answered.completeExceptionally(failure);
			return this.run != null && JobRuns.this.refused(this.run, failure);
		}

		@Override
		public ReleaseRequest ended(@Nullable Throwable thrown) {
			Throwable failure = JobCall.cause(thrown);
			Granted begun = this.granted;
			if (this.run == null) {
				return (failure != null) ? ReleaseRequest.create()
						: ReleaseRequest.create().change(JobRecord.succeeded(JobRuns.this.clock.now()));
			}
			if (this.run.end() != null) {
				return ReleaseRequest.create();
			}
			if (begun == null) {
				// The lock was lost or the thread left before the body began.
				return unused();
			}
			long now = JobRuns.this.clock.nanoTime();
			JobOutcome outcome = begun.lock.lossReason().filter(LossReason.HELD_TOO_LONG::equals).isPresent()
					? JobOutcome.TIMED_OUT : outcome(failure);
			JobRuns.this.reports.finished(this.run, Duration.ofNanos(now - begun.nanoTime), outcome, failure);
			if (outcome != JobOutcome.INTERRUPTED) {
				JobRuns.this.ended(this.run);
			}
			if (outcome == JobOutcome.INTERRUPTED && this.job.attempts() > 1) {
				return ReleaseRequest.create().change(JobWrites.interrupted(this.run));
			}
			ItemChange ended = JobWrites.began(at(this.run, begun.nanoTime))
				.then(JobWrites.ended(this.run, at(this.run, now), outcome, failure));
			return ReleaseRequest.create().change(ended);
		}

		@Override
		public ReleaseRequest unused() {
			if (this.run == null) {
				return ReleaseRequest.create();
			}
			JobRuns.this.unused(this.run);
			return ReleaseRequest.create().change(JobWrites.unused(this.run));
		}

		/** Ignores the wall clock, which may be set while the body runs. */
		private static Instant at(JobRun run, long nanoTime) {
			return run.now().at().plusNanos(nanoTime - run.now().nanoTime());
		}

		private record Granted(HeldLock lock, long nanoTime) {
		}

	}

}
