/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.spring.OnCrash;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which runs this node starts: ticks as they come, manual runs, and, for a node
 * that was refused a tick, further attempts of a run that did not finish and one run for
 * missed ticks. It acquires no lock: those that call methods do, and report the result
 * here.
 *
 * <p>
 * A node that was refused a tick watches the run that was in its way. Once a lease,
 * shortly before the lease would expire, it tries to start the next attempt, which is one
 * read while the owner renews the lock. The watch ends when the ledger shows that the run
 * has finished, when a tick comes, or when this object is closed. No thread waits.
 * Thread-safe.
 */
public final class JobRuns implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(JobRuns.class);

	/** When to repeat a claim that DynamoDB did not answer. */
	private static final Duration RETRY = Duration.ofSeconds(10);

	/** A lease of unknown length is read after that time. */
	private static final Duration UNKNOWN_LEASE = Duration.ofSeconds(10);

	private static final Duration SHORTEST_DELAY = Duration.ofMillis(10);

	private final JobClock clock;

	private final JobTimer timer;

	private final JobListener listener;

	private final Map<JobId, JobState> states = new ConcurrentHashMap<>();

	private volatile boolean closed;

	/**
	 * Creates the runs of a node.
	 * @param clock the node's clock
	 * @param timer wakes this object
	 * @param listener receives what happens
	 */
	public JobRuns(JobClock clock, JobTimer timer, JobListener listener) {
		this.clock = clock;
		this.timer = timer;
		this.listener = new JobListeners(List.of(listener));
	}

	/**
	 * Begins with a job when the node comes up.
	 * @param job the job
	 * @param ledger its ledger, if the lock has an item
	 * @param starter runs the job's method with a start, without waiting for it
	 */
	public void open(LockedJob job, Optional<JobLedger> ledger, Consumer<JobStart> starter) {
		JobState state = state(job, starter);
		ledger.ifPresent((found) -> {
			report(job, found);
			state.see(found);
			if (JobStart.due(job, found, this.clock.now()).isPresent()) {
				plan(state, Duration.ZERO, null);
			}
		});
	}

	private JobState state(LockedJob job, Consumer<JobStart> starter) {
		JobState state = this.states.computeIfAbsent(JobId.of(job), (id) -> new JobState());
		state.use(job, starter);
		return state;
	}

	private @Nullable JobState find(LockedJob job) {
		return this.states.get(JobId.of(job));
	}

	/**
	 * Returns the start of a tick that the scheduler has triggered.
	 * @param job the job
	 * @param starter runs the job's method with a start, without waiting for it
	 * @return the start; empty if the node's clock is not relied on, or no tick is due
	 * @throws LockException if the clock cannot be checked, since DynamoDB does not
	 * answer; the tick is tried again while it is the latest one
	 */
	public Optional<JobStart> tick(LockedJob job, Consumer<JobStart> starter) {
		JobState state = state(job, starter);
		Optional<String> refusal;
		try {
			refusal = this.clock.refusal(job);
		}
		catch (LockStoreException ex) {
			JobStart.due(job, this.clock.now()).ifPresent(this::failed);
			throw ex;
		}
		if (refusal.isPresent()) {
			logger.debug("Skipped a tick of {}: {}", job, refusal.get());
			return Optional.empty();
		}
		Optional<JobStart> start = JobStart.due(job, this.clock.now());
		if (start.isPresent()) {
			state.cancelPlan();
		}
		return start;
	}

	/**
	 * Starts a manual run, outside of the schedule. Reads the job's lock once, so that an
	 * obstacle is reported at once; the run has started when its lock is granted.
	 * @param job the job
	 * @param starter runs the job's method with a start, without waiting for it
	 * @throws ConditionNotMetException if the job is paused
	 * @throws LockNotGrantedException if a client holds the lock, and has not crashed
	 * @throws IllegalStateException if the node's clock is not relied on, or an earlier
	 * manual run waits to start on this node
	 * @throws LockException if DynamoDB does not answer
	 */
	public void runNow(LockedJob job, Consumer<JobStart> starter) {
		JobStart start = JobStart.manual(job, this.clock.now());
		JobState state = state(job, starter);
		job.client().find(job.key()).ifPresent((found) -> {
			state.see(JobLedger.of(found));
			checkStartable(start, found);
		});
		this.clock.refusal(job).ifPresent((reason) -> {
			throw new IllegalStateException(job + " does not start on this node: " + reason);
		});
		if (!state.queue(start)) {
			throw new IllegalStateException(job + " is not started again: a manual run of it waits on this node for a "
					+ "thread of its scheduler. Try again when that run has ended");
		}
		try {
			starter.accept(start);
		}
		catch (RuntimeException ex) {
			state.dequeue(start);
			throw ex;
		}
	}

	private static void checkStartable(JobStart start, LockRecord found) {
		if (!start.condition().holds(found.attributes())) {
			throw new ConditionNotMetException(found.key(), start.condition(), found);
		}
		if (!found.isReleased() && !found.isOwnerSilent(start.at())) {
			throw new LockNotGrantedException(found.key(), "because it is held by '" + found.ownerName() + "'", found,
					null);
		}
	}

	/**
	 * Returns what to claim for a start that was given to a starter, at the time of the
	 * claim: it may have waited for a thread. May read DynamoDB.
	 * @param start the start
	 * @return the start at this time; empty if it is tried again later, or its tick is
	 * skipped
	 */
	public Optional<JobStart> begin(JobStart start) {
		if (this.closed) {
			done(start);
			return Optional.empty();
		}
		if (start.isRerun() || start.run().manual() || isClockAccepted(start)) {
			return Optional.of(start.at(this.clock.now()));
		}
		return Optional.empty();
	}

	private boolean isClockAccepted(JobStart start) {
		try {
			return this.clock.refusal(start.run().job()).isEmpty();
		}
		catch (LockException ex) {
			logger.warn("{} was not started: {}", start.run(), ex.getMessage());
			if (ex instanceof LockStoreException) {
				failed(start);
			}
			return false;
		}
	}

	/**
	 * Reports that the call for a start has ended, whether the lock was granted or not.
	 * @param start the start that was given to the starter
	 */
	public void done(JobStart start) {
		JobState state = find(start.run().job());
		if (state != null) {
			state.dequeue(start);
		}
	}

	/**
	 * Reports that a start was refused, because the lock is held or its condition does
	 * not hold.
	 * @param start the start
	 * @param refusal why
	 */
	public void refused(JobStart start, LockNotGrantedException refusal) {
		LockedJob job = start.run().job();
		JobState state = find(job);
		LockRecord found = refusal.holder().orElse(null);
		if (state == null) {
			return;
		}
		if (start.run().manual()) {
			state.dequeue();
		}
		if (found == null) {
			return;
		}
		JobLedger ledger = JobLedger.of(found);
		report(job, ledger);
		state.see(ledger);
		if (start.run().manual()) {
			return;
		}
		Optional<JobStart> next = JobStart.due(job, ledger, this.clock.now());
		if (!(refusal instanceof ConditionNotMetException)) {
			if (next.isPresent()) {
				plan(state, untilNextRead(refusal, found), null);
			}
			else if (ledger.isManual() && !ledger.isFinished()) {
				// A manual run only delays the tick.
				state.delay(start.run().tick());
				plan(state, untilNextRead(refusal, found), start);
			}
		}
		// The same start would be refused once more.
		else if (next.isPresent() && !next.get().isOfSameRun(start)) {
			plan(state, Duration.ZERO, null);
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
	 * Reports that DynamoDB did not answer a start, or refused the call. A tick that is
	 * still the latest one is tried again.
	 * @param start the start
	 */
	public void failed(JobStart start) {
		JobState state = find(start.run().job());
		if (state != null && start.run().manual()) {
			state.dequeue();
		}
		else if (state != null) {
			plan(state, RETRY, start);
		}
	}

	/**
	 * Reports that the lock was granted and the body begins.
	 * @param start the start
	 * @param lock the lock's record after the claim
	 */
	public void started(JobStart start, LockRecord lock) {
		JobState state = find(start.run().job());
		if (state == null) {
			return;
		}
		if (start.run().manual()) {
			state.dequeue();
		}
		else {
			state.cancelPlan();
		}
		JobState.Gap gap = state.started(start, lock);
		gap.crashes().forEach((run) -> this.listener.onCrashed(run, start.isRerun() && !run.manual()));
		if (!gap.missed().isEmpty()) {
			List<Instant> missed = gap.missed();
			this.listener.onMissed(start.run().job(), missed, start.catchUp());
		}
		this.listener.onStarted(start.run());
	}

	/**
	 * Reports that the body of a run has ended. A run that fails after {@link #close()}
	 * was probably interrupted by the shutdown: it stays unfinished if another node may
	 * run it again.
	 * @param start the start of the run
	 * @param failure the exception of the body, or {@code null} if it was successful
	 * @return how to release the lock
	 */
	public ReleaseRequest ended(JobStart start, @Nullable Throwable failure) {
		Instant now = this.clock.now();
		JobRun run = start.run();
		JobState state = find(run.job());
		Duration duration = (state != null) ? state.ended() : Duration.ZERO;
		this.listener.onFinished(run, duration, failure);
		if (failure != null && this.closed && !run.manual() && run.job().onCrash() == OnCrash.RERUN
				&& run.attempt() < run.job().attempts()) {
			return ReleaseRequest.create();
		}
		return ReleaseRequest.create().change(JobLedger.finished(run, now, failure));
	}

	private void report(LockedJob job, JobLedger ledger) {
		this.listener.onLedger(job, ledger);
		JobState state = find(job);
		if (state != null && !ledger.problems().isEmpty() && state.isNewProblem(ledger.problems())) {
			logger.warn(
					"The ledger of {} in the item of lock '{}' cannot be read: {}. Runs may be refused until the "
							+ "attributes are corrected or removed",
					job, job.key(), String.join("; ", ledger.problems()));
		}
	}

	private void plan(JobState state, Duration delay, @Nullable JobStart retry) {
		long plan = state.newPlan();
		if (!this.closed) {
			this.timer.schedule(delay, () -> carryOut(state, plan, retry));
		}
	}

	private void carryOut(JobState state, long plan, @Nullable JobStart retry) {
		if (this.closed || !state.takePlan(plan)) {
			return;
		}
		Instant now = this.clock.now();
		LockedJob job = state.job();
		Optional<JobStart> start = (retry != null) ? again(retry, now) : JobStart.due(job, state.seen(), now);
		start.ifPresent(state.starter());
	}

	/** Repeats a claim without an answer, unless another tick is due by now. */
	private static Optional<JobStart> again(JobStart start, Instant now) {
		LockedJob job = start.run().job();
		boolean current = start.isRerun() || (job.schedule() instanceof JobSchedule.Cron
				&& job.schedule().tick(now).filter(start.run().tick()::equals).isPresent());
		return current ? Optional.of(start.at(now)) : Optional.empty();
	}

	/**
	 * Allows watches again, after {@link #close()}.
	 */
	public void reopen() {
		// A scheduler that was shut down runs no task that it had queued.
		this.states.values().forEach(JobState::dequeue);
		this.closed = false;
	}

	/**
	 * Ends all watches. Runs that are under way are not affected.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.states.values().forEach(JobState::cancelPlan);
	}

	/** A job of this node, by its lock. */
	private record JobId(LockClient client, LockKey key) {

		static JobId of(LockedJob job) {
			return new JobId(job.client(), job.key());
		}

	}

}
