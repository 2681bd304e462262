/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Starts the runs of a node's jobs. After each read and each refusal, {@link JobRun#next}
 * decides from the job's record whether this node starts a run. While the lock is held,
 * the node watches it: once per lease, shortly before the lease would expire, it tries to
 * start the run. This costs one read if the owner still renews the lock. No thread waits.
 *
 * <p>
 * This class does not acquire locks; a {@link JobCall} reports the results. Thread-safe.
 */
public final class JobRuns implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(JobRuns.class);

	/** The delay before a claim that DynamoDB did not answer is repeated. */
	private static final Duration RETRY = Duration.ofSeconds(10);

	/** The delay before a lock whose lease is unknown is read again. */
	private static final Duration UNKNOWN_LEASE = Duration.ofSeconds(10);

	/** The delay before a run that follows another one, whose lock is being released. */
	private static final Duration UNTIL_RELEASED = Duration.ofSeconds(1);

	private static final Duration SHORTEST_DELAY = Duration.ofMillis(10);

	private static final int MOST_MISSED = 1_000;

	/** What this thread's call is a tick of, until the advice of its method takes it. */
	private static final ThreadLocal<@Nullable JobSchedule> NAMED = new ThreadLocal<>();

	private final @Nullable String application;

	private final JobClock clock;

	private final List<JobListener> listeners;

	private final LockedJobs jobs;

	/** What was logged about the records of other methods. */
	private final Set<String> ofOthers = ConcurrentHashMap.newKeySet();

	/** Methods for whose last start DynamoDB did not answer. */
	private final Set<String> failing = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	private volatile boolean interrupted;

	/** When this node was stopped last. */
	private volatile Instant stoppedAt = Instant.MAX;

	/** When it was started again. */
	private volatile Instant startedAt = Instant.MAX;

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
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Reads the record of a bean's job, unless this node knows that nothing is to be
	 * done, and starts a run that did not finish or was missed.
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

	/**
	 * Makes a call, of which the first job is a tick.
	 * @return whether there was such a job
	 */
	static boolean name(JobSchedule schedule, Runnable call) {
		JobSchedule outer = NAMED.get();
		NAMED.set(schedule);
		try {
			call.run();
			return NAMED.get() == null;
		}
		finally {
			NAMED.set(outer);
		}
	}

	/**
	 * Takes the schedule that {@link LockedJobs#tick} names in this thread.
	 * @return the schedule, or {@code null} if the call is no tick
	 */
	public static @Nullable JobSchedule takeNamed() {
		JobSchedule named = NAMED.get();
		NAMED.remove();
		return named;
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
		return new JobCall(this, job, null);
	}

	private JobCall call(JobRun run) {
		return new JobCall(this, run.job(), run);
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
				// Its owner may have renewed the lock until the limit since it was read.
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

	/** Spring creates some beans anew only when they are used again. */
	private void withoutBean(JobEntry entry) {
		logger.warn("{} is due, but no bean on this node has it any more: the bean was destroyed, or its key has "
				+ "changed. Other nodes may run it, and this one does if such a bean is created", entry.job());
		entry.settled(false);
	}

	/**
	 * Handles a run that did not get its lock.
	 * @return whether it may start later
	 */
	boolean refused(JobRun run, RuntimeException failure) {
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
		answered(entry);
		LockRecord found = refusal.record().orElse(null);
		see(entry, (found != null) ? JobRecord.of(found) : JobRecord.NONE);
		Optional<JobRun> next = next(entry);
		if (next.isEmpty()) {
			idle(entry);
		}
		else if (found == null || refusal instanceof ConditionNotMetException) {
			// The same start would be refused once more.
			plan(entry, next.get().condition().equals(run.condition()) ? RETRY : Duration.ZERO);
		}
		else {
			waits(entry, next.get().isFirst() ? next.get().tick() : null);
			plan(entry, untilNextRead(refusal, found));
		}
	}

	/** Returns the time until shortly before, or until the lease would expire. */
	private static Duration untilNextRead(LockNotGrantedException refusal, LockRecord found) {
		Duration lease = found.leaseDuration();
		Duration rest = refusal.leaseRemaining().orElse(lease.isZero() ? UNKNOWN_LEASE : lease);
		Duration delay = (rest.compareTo(lease.dividedBy(2)) > 0) ? rest.minus(lease.dividedBy(10)) : rest;
		return (delay.compareTo(SHORTEST_DELAY) > 0) ? delay : SHORTEST_DELAY;
	}

	/** Logs one line per job and outage, and plans a retry. */
	private void failing(JobEntry entry, Instant tick, RuntimeException failure) {
		if (!this.closed && this.failing.add(entry.job().location())) {
			logger.warn("{} cannot start on this node; retrying every {} s. {}", entry.job(), RETRY.toSeconds(),
					failure.getMessage());
		}
		waits(entry, tick);
		plan(entry, RETRY);
	}

	private void answered(JobEntry entry) {
		if (this.failing.remove(entry.job().location()) && this.failing.isEmpty()) {
			logger.info("All jobs can start on this node again");
		}
	}

	void started(JobRun run, HeldLock lock) {
		JobRecord record = JobRecord.of(lock.record());
		JobEntry entry = this.jobs.entry(run.job());
		JobRecord before = run.seen();
		if (entry != null) {
			before = entry.seen();
			entry.cancel();
			answered(entry);
			see(entry, record);
			idle(entry);
		}
		if (run.end() == JobOutcome.TIMED_OUT) {
			logger
				.warn("Timed out: tick {} of {}. Its node did not record how the run ended, and may have held the lock "
						+ "until holdAtMost. The tick is not rerun", run.tick(), run.job());
		}
		else if (run.end() != null || run.isRerun()) {
			crashed(run.job(), run.tick(), run.end() == null, run.seen());
		}
		else if (!run.isFirst()) {
			logger.info("Starting {} on this node, because the shutdown of another one ended it, or its method was not "
					+ "called there", run);
		}
		if (run.end() == null) {
			begins(run, record, before);
		}
	}

	/** Handles a run that got its lock and did not begin. Nothing retries its tick. */
	void unused(JobRun run) {
		JobEntry entry = this.jobs.entry(run.job());
		if (entry != null) {
			answered(entry);
			Instant wanted = entry.wanted();
			if (wanted == null || wanted.equals(run.tick())) {
				// No later tick waits.
				idle(entry);
			}
		}
	}

	/** Reports the start, and for a first attempt the crashed and missed ticks before. */
	private void begins(JobRun run, JobRecord record, JobRecord before) {
		if (run.attempt() == 1) {
			record.previousCrash().ifPresent((tick) -> crashed(run.job(), tick, false, before));
			List<Instant> missed = record.missed(run.job().schedule(), MOST_MISSED);
			if (!missed.isEmpty()) {
				Instant last = missed.get(missed.size() - 1);
				boolean runOnce = run.job().onMissed() == OnMissed.RUN_ONCE;
				// The context of a test is paused while others run.
				boolean intended = !missed.get(0).isBefore(this.stoppedAt) && !last.isAfter(this.startedAt);
				logger.atLevel(intended ? Level.INFO : Level.WARN)
					.log("Missed ticks of {}: {}, from {} to {}. {}. {}", run.job(), missed.size(), missed.get(0), last,
							intended ? "The application context of this node was stopped or paused"
									: "No node was up and could reach DynamoDB, the job or the process was paused, or "
											+ "an earlier run took too long",
							runOnce ? "The job runs once to make up for them" : "They are skipped");
				report(new JobMissedEvent(run.job(), missed, runOnce));
			}
		}
		logger.debug("Started {}", run);
		report(new JobStartedEvent(run));
	}

	private void crashed(LockedJob job, Instant tick, boolean rerun, JobRecord seen) {
		String node = seen.node().filter((name) -> tick.equals(seen.tick().orElse(null))).orElse(null);
		logger.warn(
				"Crashed: tick {} of {}. {} died, was paused, lost the lock or could not reach DynamoDB before it "
						+ "recorded how the run ended. {}",
				tick, job, (node != null) ? "Node '" + node + "'" : "Its node",
				rerun ? "This node reruns the tick" : "The tick is not rerun");
		report(new JobCrashedEvent(job, tick, rerun));
	}

	void finished(JobRun run, Duration duration, JobOutcome outcome, @Nullable Throwable failure) {
		if (outcome == JobOutcome.TIMED_OUT) {
			logger.warn(
					"Timed out: {} ended after {}, longer than holdAtMost allows. The tick is not rerun, and another "
							+ "run may have started in the meantime",
					run, LogText.of(duration.truncatedTo(ChronoUnit.MILLIS)));
		}
		else if (outcome == JobOutcome.INTERRUPTED) {
			boolean returned = run.job().attempts() > 1;
			logger.atLevel(returned ? Level.INFO : Level.WARN)
				.log("Interrupted: {} by the shutdown of this node, after {}. {}", run,
						LogText.of(duration.truncatedTo(ChronoUnit.MILLIS)),
						returned ? "Another node starts the attempt again, unless the next tick is due first"
								: "The tick is not rerun");
		}
		else {
			logger.debug("{} after {}: {}", outcome, LogText.of(duration.truncatedTo(ChronoUnit.MILLIS)), run);
		}
		report(new JobFinishedEvent(run, duration, outcome, Optional.ofNullable(failure)));
		if (outcome != JobOutcome.INTERRUPTED) {
			ended(run);
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

	private void report(JobEvent event) {
		inform((listener) -> listener.onEvent(event));
	}

	private void inform(Consumer<JobListener> call) {
		for (JobListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				// The listener's bean may be destroyed already.
				logger.atLevel(this.closed ? Level.DEBUG : Level.WARN)
					.setCause(ex)
					.log("A job listener failed: {}", listener);
			}
		}
	}

	/** Returns how a body ended, if it did not reach its limit. */
	JobOutcome outcome(@Nullable Throwable failure) {
		if (failure == null) {
			return JobOutcome.SUCCEEDED;
		}
		// Spring cancels the subscriptions of scoped beans before it destroys anything.
		boolean ended = this.interrupted || (this.closed && failure instanceof CancellationException);
		return ended ? JobOutcome.INTERRUPTED : JobOutcome.FAILED;
	}

	@Nullable String application() {
		return this.application;
	}

	JobClock clock() {
		return this.clock;
	}

	private void see(JobEntry entry, JobRecord record) {
		inform((listener) -> listener.onRecord(entry.job(), record));
		if (!record.problems().equals(entry.seen().problems()) && !record.problems().isEmpty()) {
			logger.warn(
					"The record of {} in the item of lock '{}' is invalid for this version: {}. Runs may be refused "
							+ "until the attributes are corrected or removed",
					entry.job(), entry.job().key(), String.join("; ", record.problems()));
		}
		compare(entry.job(), record);
		entry.seen(record);
	}

	/**
	 * Logs, once for each job, that its record is another method's. Nodes of one
	 * application may have different names or none, so a name alone says nothing.
	 */
	private void compare(LockedJob job, JobRecord record) {
		if (record.isOfMethod(job)) {
			return;
		}
		String method = record.method().orElseThrow();
		String other = record.application().orElse(null);
		if (other != null && other.equals(this.application)) {
			if (this.ofOthers.add("method " + job.location())) {
				logger
					.info("The latest run of {} called another method, {}, so this node neither reruns it nor records "
							+ "its end. This is normal after the method was renamed", job, method);
			}
		}
		else if (this.ofOthers.add("application " + job.location())) {
			logger.warn("The latest run of {} called another method, {}, in {}, but this is {}. If these are two "
					+ "applications, they take each other's ticks: set dynamodb-lock.key-prefix in one of them. "
					+ "If it is one application that was renamed, do nothing. This node neither reruns that run "
					+ "nor records its end", job, method, named(other), named(this.application));
		}
	}

	private static String named(@Nullable String application) {
		return (application != null) ? "application '" + application + "'" : "an application without a name";
	}

	private void waits(JobEntry entry, @Nullable Instant tick) {
		inform((listener) -> listener.onWaiting(entry.job(), tick));
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
	 * Allows runs to start again after {@link #close()}. The scheduler's calls before
	 * that no longer count, so that ticks since then are missed.
	 */
	public void reopen() {
		for (JobEntry entry : this.jobs.entries()) {
			entry.reset();
			idle(entry);
		}
		this.startedAt = this.clock.now();
		this.closed = false;
	}

	/**
	 * Ends all watches and prevents further runs. Runs in progress are not affected.
	 */
	@Override
	public void close() {
		if (!this.closed) {
			this.stoppedAt = this.clock.now();
		}
		this.closed = true;
		this.jobs.entries().forEach(JobEntry::cancel);
	}

	/**
	 * From now on, a body that fails was interrupted by the shutdown. Until then, it
	 * fails by itself: Spring awaits runs, and interrupts none.
	 */
	public void interrupt() {
		this.interrupted = true;
	}

}
