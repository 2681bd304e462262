/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
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

	private static final Duration SHORTEST_DELAY = Duration.ofMillis(10);

	private static final int MOST_MISSED = 1_000;

	private final JobClock clock;

	private final List<JobListener> listeners;

	private final Map<LockedJob, JobState> states = new ConcurrentHashMap<>();

	/** The tick of the scheduler's last call, by method. */
	private final Map<String, Instant> called = new ConcurrentHashMap<>();

	/** Jobs whose last start DynamoDB did not answer. */
	private final Set<LockedJob> failing = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	/**
	 * Creates the runs of a node.
	 * @param clock the node's clock
	 * @param listeners the listeners, which are called in this order
	 */
	public JobRuns(JobClock clock, List<JobListener> listeners) {
		this.clock = clock;
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Reads a job's record at startup, and starts a run that did not finish or was
	 * missed.
	 * @param job the job
	 * @param executor runs the job
	 * @throws LockException if DynamoDB does not answer
	 */
	public void open(LockedJob job, JobExecutor executor) {
		if (job.schedule() instanceof JobSchedule.Cron cron) {
			cron.latest(Instant.EPOCH, this.clock.now())
				.ifPresent((tick) -> this.called.putIfAbsent(job.location(), tick));
		}
		JobState state = state(job, executor);
		see(state, job.record().orElse(JobRecord.NONE));
		next(state).ifPresentOrElse((run) -> plan(state, Duration.ZERO), () -> idle(state));
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
		JobState state = state(job, executor);
		state.cancel();
		try {
			Optional<JobClock.Reading> now = this.clock.checked(job);
			Optional<Instant> wanted = want(state, now.map(JobClock.Reading::at).orElseGet(this.clock::now));
			if (now.isEmpty() || wanted.isEmpty()) {
				idle(state);
				return Optional.empty();
			}
			return Optional.of(call(new JobRun(job, wanted.get(), 1, false, JobRecord.NONE, now.get(), null)));
		}
		catch (LockException ex) {
			want(state, this.clock.now()).ifPresent((tick) -> failing(state, tick, ex));
			return Optional.empty();
		}
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

	private Optional<Instant> want(JobState state, Instant now) {
		Optional<Instant> tick = state.job.schedule().tick(now, this.called.get(state.job.location()));
		tick.ifPresent((called) -> this.called.put(state.job.location(), called));
		state.wanted = tick.orElse(null);
		return tick;
	}

	private Optional<JobRun> next(JobState state) {
		return JobRun.next(state.job, state.seen, state.wanted, this.clock.read(state.job));
	}

	/** Carries out a plan with the runs that are due now. */
	private void wake(JobState state) {
		if (this.closed) {
			return;
		}
		try {
			if (state.job.limit() != null && state.seen.isUnfinished()) {
				// Its owner may have renewed the lock until the limit since it was read.
				state.job.client().find(state.job.key()).ifPresent((found) -> see(state, JobRecord.of(found)));
			}
			this.clock.checked(state.job)
				.flatMap((now) -> JobRun.next(state.job, state.seen, state.wanted, now))
				.ifPresentOrElse((run) -> state.executor.call(call(run)), () -> idle(state));
		}
		catch (LockException ex) {
			next(state).ifPresent((run) -> failing(state, run.tick(), ex));
		}
	}

	/**
	 * Handles a run that did not get its lock.
	 * @return whether it may start later
	 */
	boolean refused(JobRun run, RuntimeException failure) {
		boolean unanswered = failure instanceof LockStoreException || failure instanceof LockWaitInterruptedException;
		JobState state = this.states.get(run.job());
		if (state != null && unanswered) {
			failing(state, run.tick(), failure);
		}
		else if (state != null && failure instanceof LockNotGrantedException refusal) {
			refused(state, run, refusal);
		}
		return unanswered || failure instanceof LockNotGrantedException;
	}

	/** Handles a run whose lock is held, or whose condition is not met. */
	private void refused(JobState state, JobRun run, LockNotGrantedException refusal) {
		answered(state);
		LockRecord found = refusal.record().orElse(null);
		see(state, (found != null) ? JobRecord.of(found) : JobRecord.NONE);
		Optional<JobRun> next = next(state);
		if (next.isEmpty()) {
			idle(state);
		}
		else if (found == null || refusal instanceof ConditionNotMetException) {
			// The same start would be refused once more.
			plan(state, next.get().condition().equals(run.condition()) ? RETRY : Duration.ZERO);
		}
		else {
			waits(state, next.get().isFirst() ? next.get().tick() : null);
			plan(state, untilNextRead(refusal, found));
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
	private void failing(JobState state, Instant tick, RuntimeException failure) {
		if (!this.closed && this.failing.add(state.job)) {
			logger.warn("{} cannot start on this node; retrying every {} s. {}", state.job, RETRY.toSeconds(),
					failure.getMessage());
		}
		waits(state, tick);
		plan(state, RETRY);
	}

	private void answered(JobState state) {
		if (this.failing.remove(state.job) && this.failing.isEmpty()) {
			logger.info("All jobs can start on this node again");
		}
	}

	void started(JobRun run, HeldLock lock) {
		JobRecord record = JobRecord.of(lock.record());
		JobState state = this.states.get(run.job());
		if (state != null) {
			state.cancel();
			answered(state);
			see(state, record);
			idle(state);
		}
		if (run.end() == JobOutcome.TIMED_OUT) {
			logger
				.warn("Timed out: tick {} of {}. Its node did not record how the run ended, and may have held the lock "
						+ "until holdAtMost. The tick is not rerun", run.tick(), run.job());
		}
		else if (run.end() != null || run.isRerun()) {
			crashed(run.job(), run.tick(), run.end() == null);
		}
		if (run.end() == null) {
			begins(run, record);
		}
	}

	/** Reports the start, and for a first attempt the crashed and missed ticks before. */
	private void begins(JobRun run, JobRecord record) {
		if (run.attempt() == 1) {
			record.previousCrash().ifPresent((tick) -> crashed(run.job(), tick, false));
			List<Instant> missed = record.missed(run.job().schedule(), MOST_MISSED);
			if (!missed.isEmpty()) {
				logger.warn(
						"Missed ticks of {}: {}, from {} to {}. No node was up, the job was paused, or an earlier run "
								+ "took too long. {}",
						run.job(), missed.size(), missed.get(0), missed.get(missed.size() - 1),
						run.catchUp() ? "The job runs once to make up for them" : "They are skipped");
				report(new JobMissedEvent(run.job(), missed, run.catchUp()));
			}
		}
		logger.debug("Started {}", run);
		report(new JobStartedEvent(run));
	}

	private void crashed(LockedJob job, Instant tick, boolean rerun) {
		logger.warn(
				"Crashed: tick {} of {}. Its node died, lost the lock or could not reach DynamoDB before it recorded "
						+ "how the run ended. {}",
				tick, job, rerun ? "This node reruns the tick" : "The tick is not rerun");
		report(new JobCrashedEvent(job, tick, rerun));
	}

	void finished(JobRun run, Duration duration, JobOutcome outcome, @Nullable Throwable failure) {
		if (outcome == JobOutcome.TIMED_OUT) {
			logger.warn(
					"Timed out: {} ended after {}, longer than holdAtMost allows. The tick is not rerun, and another "
							+ "run may have started in the meantime",
					run, LogText.of(duration.truncatedTo(ChronoUnit.MILLIS)));
		}
		else {
			logger.debug("{} after {}: {}", outcome, LogText.of(duration.truncatedTo(ChronoUnit.MILLIS)), run);
		}
		report(new JobFinishedEvent(run, duration, outcome, Optional.ofNullable(failure)));
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
		return (failure == null) ? JobOutcome.SUCCEEDED : this.closed ? JobOutcome.INTERRUPTED : JobOutcome.FAILED;
	}

	JobClock clock() {
		return this.clock;
	}

	private void see(JobState state, JobRecord record) {
		inform((listener) -> listener.onRecord(state.job, record));
		if (!record.problems().equals(state.seen.problems()) && !record.problems().isEmpty()) {
			logger.warn(
					"The record of {} in the item of lock '{}' is invalid for this version: {}. Runs may be refused "
							+ "until the attributes are corrected or removed",
					state.job, state.job.key(), String.join("; ", record.problems()));
		}
		state.seen = record;
	}

	private void waits(JobState state, @Nullable Instant tick) {
		inform((listener) -> listener.onWaiting(state.job, tick));
	}

	private void idle(JobState state) {
		waits(state, null);
		if (state.job.keyed() && !this.failing.contains(state.job)) {
			// There may be any number of values.
			this.states.remove(state.job, state);
		}
	}

	private void plan(JobState state, Duration delay) {
		if (!this.closed) {
			state.plan(delay, () -> wake(state));
		}
	}

	private JobState state(LockedJob job, JobExecutor executor) {
		return this.states.computeIfAbsent(job, (added) -> new JobState(added, executor));
	}

	/**
	 * Allows runs to start again after {@link #close()}. The scheduler's calls before
	 * that no longer count, so that ticks since then are missed.
	 */
	public void reopen() {
		this.states.clear();
		this.called.clear();
		this.closed = false;
	}

	/**
	 * Ends all watches and prevents further runs. Runs in progress are not affected; a
	 * body that fails from now on counts as interrupted.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.states.values().forEach(JobState::cancel);
	}

	/** The state of one job on this node, and its plan. Thread-safe. */
	private static final class JobState {

		private final LockedJob job;

		private final JobExecutor executor;

		private volatile JobRecord seen = JobRecord.NONE;

		/** The tick of the scheduler's last call. */
		private volatile @Nullable Instant wanted;

		/** Cancels the current plan. */
		private Runnable plan = () -> {
		};

		JobState(LockedJob job, JobExecutor executor) {
			this.job = job;
			this.executor = executor;
		}

		synchronized void plan(Duration delay, Runnable action) {
			cancel();
			this.plan = this.executor.later(delay, action);
		}

		synchronized void cancel() {
			this.plan.run();
		}

	}

}
