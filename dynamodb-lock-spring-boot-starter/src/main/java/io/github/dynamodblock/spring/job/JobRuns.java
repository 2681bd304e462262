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
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.Printable;
import io.github.dynamodblock.ReleaseRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Starts the runs of a node's jobs. After each read and each refusal,
 * {@link JobStart#next} decides by the job's record what this node does next: start a
 * run, or nothing. While the lock is held, the node watches it: once a lease, shortly
 * before the lease would expire, it tries to start the run, which is one read while the
 * owner renews the lock. No thread waits.
 *
 * <p>
 * This object acquires no lock: those that call methods do, and report the result here.
 * Thread-safe.
 */
public final class JobRuns implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(JobRuns.class);

	/** When to repeat a claim that DynamoDB did not answer. */
	private static final Duration RETRY = Duration.ofSeconds(10);

	/** A lease of unknown length is read after that time. */
	private static final Duration UNKNOWN_LEASE = Duration.ofSeconds(10);

	private static final Duration SHORTEST_DELAY = Duration.ofMillis(10);

	private static final int MOST_MISSED = 1_000;

	private final JobClock clock;

	private final List<JobListener> listeners;

	private final Map<JobId, JobState> states = new ConcurrentHashMap<>();

	/** The ticks of the scheduler's last calls, by methods. */
	private final Map<String, Instant> called = new ConcurrentHashMap<>();

	/** Whether a job is failing, and the end of it has not been reported. */
	private final AtomicBoolean failing = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * Creates the runs of a node.
	 * @param clock the node's clock
	 * @param listeners receive what happens, in order
	 */
	public JobRuns(JobClock clock, List<JobListener> listeners) {
		this.clock = clock;
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Reads the record of a job when the node comes up, and starts what has to be run
	 * again.
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
		next(state).ifPresent((start) -> plan(state, Duration.ZERO));
	}

	/**
	 * Returns the start of a tick for which the scheduler has called.
	 * @param job the job
	 * @param executor runs the job
	 * @return the start; empty if this node does not start the tick now
	 */
	public Optional<JobStart> tick(LockedJob job, JobExecutor executor) {
		if (this.closed) {
			return Optional.empty();
		}
		JobState state = state(job, executor);
		state.cancel();
		try {
			Optional<JobStart.Reading> now = checked(job);
			want(state, now.map(JobStart.Reading::at).orElseGet(this.clock::now));
			Optional<JobStart> start = now
				.flatMap((reading) -> state.wanted().map((tick) -> JobStart.of(job, tick, reading)));
			if (start.isEmpty()) {
				idle(state);
			}
			return start;
		}
		catch (LockException ex) {
			want(state, this.clock.now()).ifPresent((tick) -> failing(state, tick, ex));
			return Optional.empty();
		}
	}

	private Optional<Instant> want(JobState state, Instant now) {
		Optional<Instant> tick = state.job.schedule().tick(now, this.called.get(state.job.location()));
		tick.ifPresent((called) -> this.called.put(state.job.location(), called));
		state.wanted = tick.orElse(null);
		return tick;
	}

	/** Reads the clock for a start; empty if it is wrong. */
	private Optional<JobStart.Reading> checked(LockedJob job) {
		return this.clock.checked(job).map((at) -> reading(job, at));
	}

	private JobStart.Reading reading(LockedJob job, Instant at) {
		return new JobStart.Reading(at, this.clock.tolerance(job), this.clock.nanoTime());
	}

	private Optional<JobStart> next(JobState state) {
		return JobStart.next(state.job, state.seen, state.wanted, reading(state.job, this.clock.now()));
	}

	/** Carries out a plan, by what is due by now. */
	private void wake(JobState state) {
		if (this.closed) {
			return;
		}
		try {
			if (state.job.limit() != null && state.seen.isUnfinished()) {
				// Its owner may have renewed the lock until the limit since it was read.
				state.job.client().find(state.job.key()).ifPresent((found) -> see(state, JobRecord.of(found)));
			}
			checked(state.job).flatMap((now) -> JobStart.next(state.job, state.seen, state.wanted, now))
				.ifPresentOrElse(state.executor::call, () -> idle(state));
		}
		catch (LockException ex) {
			next(state).ifPresent((start) -> failing(state, start.run().tick(), ex));
		}
	}

	/**
	 * Reports that a start was refused, because the lock is held or its condition does
	 * not hold.
	 * @param start the start
	 * @param refusal why
	 */
	public void refused(JobStart start, LockNotGrantedException refusal) {
		JobState state = find(start);
		if (state == null) {
			return;
		}
		answered(state);
		LockRecord found = refusal.holder().orElse(null);
		see(state, (found != null) ? JobRecord.of(found) : JobRecord.NONE);
		Optional<JobStart> next = next(state);
		if (next.isEmpty()) {
			idle(state);
		}
		else if (found == null || refusal instanceof ConditionNotMetException) {
			// The same start would be refused once more.
			plan(state, next.get().condition().equals(start.condition()) ? RETRY : Duration.ZERO);
		}
		else {
			waits(state, next.get().isFirst() ? next.get().run().tick() : null);
			plan(state, untilNextRead(refusal, found));
		}
	}

	/** Shortly before the lease would expire, or when it has expired. */
	private static Duration untilNextRead(LockNotGrantedException refusal, LockRecord found) {
		Duration lease = found.leaseDuration();
		Duration rest = refusal.leaseRemaining().orElse(lease.isZero() ? UNKNOWN_LEASE : lease);
		Duration delay = (rest.compareTo(lease.dividedBy(2)) > 0) ? rest.minus(lease.dividedBy(10)) : rest;
		return (delay.compareTo(SHORTEST_DELAY) > 0) ? delay : SHORTEST_DELAY;
	}

	/**
	 * Reports that DynamoDB did not answer a start or refused the call, or that its
	 * thread was interrupted. It is tried again while it is due.
	 * @param start the start
	 * @param failure the failure
	 */
	public void failed(JobStart start, RuntimeException failure) {
		JobState state = find(start);
		if (state != null) {
			failing(state, start.run().tick(), failure);
		}
	}

	/** One line for each job and outage, and one line at its end. */
	private void failing(JobState state, Instant tick, RuntimeException failure) {
		if (!state.failing && !this.closed) {
			state.failing = true;
			this.failing.set(true);
			logger.warn("{} cannot start on this node; trying again every {} s. {}", state.job, RETRY.toSeconds(),
					failure.getMessage());
		}
		waits(state, tick);
		plan(state, RETRY);
	}

	private void answered(JobState state) {
		state.failing = false;
		boolean over = this.states.values().stream().noneMatch((other) -> other.failing);
		if (over && this.failing.compareAndSet(true, false)) {
			logger.info("All jobs can start on this node again");
		}
	}

	/**
	 * Reports that the lock was granted and the body begins.
	 * @param start the start
	 * @param lock the lock
	 * @return the run
	 */
	public Running started(JobStart start, HeldLock lock) {
		LockedJob job = start.run().job();
		JobRecord record = JobRecord.of(lock.record());
		JobState state = find(start);
		if (state != null) {
			state.cancel();
			answered(state);
			see(state, record);
			idle(state);
		}
		if (start.end() == JobOutcome.TIMED_OUT) {
			logger.warn(
					"Timed out: tick {} of {}. Its node recorded no end, and may have held the lock until holdAtMost. It "
							+ "is not run again",
					start.run().tick(), job);
		}
		else if (start.end() != null || start.isRerun()) {
			crashed(job, start.run().tick(), start.end() == null);
		}
		if (start.end() == null) {
			begins(start, record);
		}
		return new Running(start, lock, this.clock.nanoTime());
	}

	/** The first attempt reports what became of the ticks before it. */
	private void begins(JobStart start, JobRecord record) {
		JobRun run = start.run();
		if (run.attempt() == 1) {
			record.previousCrash().ifPresent((tick) -> crashed(run.job(), tick, false));
			List<Instant> missed = record.missed(run.job().schedule(), MOST_MISSED);
			if (!missed.isEmpty()) {
				logger.warn(
						"Missed ticks of {}: {}, from {} to {}. No node was up, the job was paused, or a run took "
								+ "longer. {}",
						run.job(), missed.size(), missed.get(0), missed.get(missed.size() - 1),
						start.catchUp() ? "The job runs once for them" : "They are skipped");
				report((listener) -> listener.onMissed(run.job(), missed, start.catchUp()));
			}
		}
		logger.debug("Started {}", run);
		report((listener) -> listener.onStarted(run));
	}

	private void crashed(LockedJob job, Instant tick, boolean rerun) {
		logger
			.warn("Crashed: tick {} of {}. Its node died, lost the lock or could not reach DynamoDB before it recorded "
					+ "an end. {}", tick, job, rerun ? "This node runs the tick again" : "It is not run again");
		report((listener) -> listener.onCrashed(job, tick, rerun));
	}

	private void finished(JobRun run, Duration duration, JobOutcome outcome, @Nullable Throwable failure) {
		if (outcome == JobOutcome.TIMED_OUT) {
			logger.warn(
					"Timed out: {} ended after {}, later than holdAtMost allows. It is not run again, and another run may have "
							+ "started meanwhile",
					run, Printable.of(duration.truncatedTo(ChronoUnit.MILLIS)));
		}
		else {
			logger.debug("{} after {}: {}", outcome, Printable.of(duration.truncatedTo(ChronoUnit.MILLIS)), run);
		}
		report((listener) -> listener.onFinished(run, duration, outcome, failure));
	}

	private void report(Consumer<JobListener> event) {
		for (JobListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				// The beans that listen may be gone already.
				logger.atLevel(this.closed ? Level.DEBUG : Level.WARN)
					.setCause(ex)
					.log("A listener of jobs failed: {}", listener);
			}
		}
	}

	/**
	 * Reports that a call has ended which was no run.
	 * @param failure the exception of the body, or {@code null}
	 * @return how to release the lock
	 */
	public ReleaseRequest called(@Nullable Throwable failure) {
		return (failure != null) ? ReleaseRequest.create()
				: ReleaseRequest.create().change(JobRecord.succeeded(this.clock.now()));
	}

	private void see(JobState state, JobRecord record) {
		report((listener) -> listener.onRecord(state.job, record));
		if (!record.problems().equals(state.seen.problems()) && !record.problems().isEmpty()) {
			logger.warn(
					"The record of {} in the item of lock '{}' is not as this version writes it: {}. Runs may be refused "
							+ "until the attributes are corrected or removed",
					state.job, state.job.key(), String.join("; ", record.problems()));
		}
		state.seen = record;
	}

	private void waits(JobState state, @Nullable Instant tick) {
		report((listener) -> listener.onWaiting(state.job, tick));
	}

	private void idle(JobState state) {
		waits(state, null);
		if (state.job.keyed() && !state.failing) {
			// There may be any number of values.
			this.states.remove(JobId.of(state.job), state);
		}
	}

	private void plan(JobState state, Duration delay) {
		if (!this.closed) {
			state.plan((task) -> state.executor.later(delay, task), () -> wake(state));
		}
	}

	private JobState state(LockedJob job, JobExecutor executor) {
		return this.states.compute(JobId.of(job), (id, known) -> (known != null) ? known : new JobState(job, executor));
	}

	private @Nullable JobState find(JobStart start) {
		return this.states.get(JobId.of(start.run().job()));
	}

	/**
	 * Lets runs start again, after {@link #close()}.
	 */
	public void reopen() {
		this.closed = false;
	}

	/**
	 * Ends all watches and lets no run start. Runs that are under way are not affected; a
	 * body that fails from now on counts as interrupted.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.states.values().forEach(JobState::cancel);
	}

	/** A run on this node whose lock was granted. Thread-safe. */
	public final class Running {

		private final JobStart start;

		private final HeldLock lock;

		private final long began;

		private Running(JobStart start, HeldLock lock, long began) {
			this.start = start;
			this.lock = lock;
			this.began = began;
		}

		/**
		 * Reports that the body has ended.
		 * @param thrown the exception of the body, or {@code null}
		 * @return how to release the lock
		 */
		public ReleaseRequest ended(@Nullable Throwable thrown) {
			if (this.start.end() != null) {
				return ReleaseRequest.create();
			}
			Throwable failure = unwrapped(thrown);
			JobRun run = this.start.run();
			long now = JobRuns.this.clock.nanoTime();
			JobOutcome outcome = outcome(failure);
			finished(run, Duration.ofNanos(now - this.began), outcome, failure);
			if (outcome == JobOutcome.INTERRUPTED && run.job().attempts() > 1) {
				return ReleaseRequest.create().change(JobRecord.interrupted(run));
			}
			ItemChange ended = JobRecord.began(at(this.began)).then(JobRecord.ended(run, at(now), outcome, failure));
			return ReleaseRequest.create().change(ended);
		}

		private JobOutcome outcome(@Nullable Throwable failure) {
			if (this.lock.lossReason().filter(LossReason.HELD_TOO_LONG::equals).isPresent()) {
				return JobOutcome.TIMED_OUT;
			}
			if (failure == null) {
				return JobOutcome.SUCCEEDED;
			}
			return JobRuns.this.closed ? JobOutcome.INTERRUPTED : JobOutcome.FAILED;
		}

		/** The clock may be set while the body runs. */
		private Instant at(long nanoTime) {
			JobStart.Reading read = this.start.now();
			return read.at().plusNanos(nanoTime - read.nanoTime());
		}

		private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
			return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
					: failure;
		}

	}

	/** A job of this node, by its lock. */
	private record JobId(LockClient client, LockKey key) {

		static JobId of(LockedJob job) {
			return new JobId(job.client(), job.key());
		}

	}

}
