/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;

/**
 * A run that this node tries to start: the claim of the lock carries the condition that
 * no other node has started it, and records it. Immutable.
 *
 * @param run the run
 * @param catchUp whether the run is for ticks that were missed
 * @param seen the record by which this was decided
 * @param now the reading of the node's clock
 * @param end how the run has ended, if the claim only records that; {@code null} to start
 * it
 */
public record JobStart(JobRun run, boolean catchUp, JobRecord seen, Reading now, @Nullable JobOutcome end) {

	/** A call may take the next tick that early. */
	private static final Duration MOST_EARLY = Duration.ofSeconds(30);

	/** Creates the start of a tick by this node's scheduler, before anything is read. */
	static JobStart of(LockedJob job, Instant tick, Reading now) {
		return new JobStart(new JobRun(job, tick, 1), false, JobRecord.NONE, now, null);
	}

	/**
	 * Decides what this node does next about a job, as soon as the lock is free or its
	 * owner's lease has expired. The latest tick comes first: it replaces an earlier one
	 * that did not finish.
	 * @param job the job
	 * @param seen the job's record as it was read last
	 * @param wanted the tick of the scheduler's last call on this node, or {@code null}
	 * @param now the reading of the node's clock
	 * @return the run to start, or to record as ended; empty if there is nothing to do
	 */
	static Optional<JobStart> next(LockedJob job, JobRecord seen, @Nullable Instant wanted, Reading now) {
		if (seen.paused().isPresent() || !seen.isDecidable()) {
			return Optional.empty();
		}
		boolean catchUp = wanted == null;
		Optional<JobStart> first = due(job, seen, wanted, now)
			.map((tick) -> new JobStart(new JobRun(job, tick, 1), catchUp, seen, now, null))
			.filter(JobStart::isDue);
		return first.isPresent() ? first : seen.isUnfinished() ? Optional.of(again(job, seen, now)) : first;
	}

	/** Returns the tick that the node wants to start, if no other node has. */
	private static Optional<Instant> due(LockedJob job, JobRecord seen, @Nullable Instant wanted, Reading now) {
		if (job.schedule() instanceof JobSchedule.Cron cron) {
			if (wanted != null) {
				// A call that came while the clock was wrong wants a tick of another
				// time.
				Instant latest = now.at().plus(MOST_EARLY);
				return cron.latest(wanted, now.at())
					.or(() -> Optional.of(wanted).filter((early) -> !early.isAfter(latest)));
			}
			boolean catchesUp = job.onMissed() == OnMissed.RUN_ONCE && seen.isOf(cron);
			return catchesUp ? seen.tick().flatMap((last) -> cron.latest(last, now.at())) : Optional.empty();
		}
		// A run at a rate has no scheduled time, which a later one could replace.
		return (wanted != null && !seen.isUnfinished()) ? job.schedule().tick(now.at(), null) : Optional.empty();
	}

	private static JobStart again(LockedJob job, JobRecord seen, Reading now) {
		Instant tick = seen.tick().orElseThrow();
		boolean timedOut = seen.isTimedOut(job.limit(), now.latest());
		if (timedOut || seen.attempt() >= job.attempts()) {
			return new JobStart(new JobRun(job, tick, seen.attempt()), false, seen, now,
					timedOut ? JobOutcome.TIMED_OUT : JobOutcome.CRASHED);
		}
		return new JobStart(new JobRun(job, tick, seen.attempt() + 1), false, seen, now, null);
	}

	/** Returns whether this is the first claim of its tick. */
	boolean isFirst() {
		return !this.run.tick().equals(this.seen.tick().orElse(null));
	}

	/** Returns whether this starts what another node started, and did not finish. */
	boolean isRerun() {
		return this.end == null && !isFirst() && this.seen.startedAt().isPresent();
	}

	/** Returns whether the condition holds for what was read. */
	private boolean isDue() {
		JobSchedule.Gap gap = this.run.job().schedule().gap();
		return isPast(JobRecord.TICK, latest()) && (gap == null || isPast(gap.attribute(), since(gap)));
	}

	private boolean isPast(String attribute, Instant limit) {
		return this.seen.time(attribute).filter((time) -> time.isAfter(limit)).isEmpty() || wrong(attribute) != null;
	}

	/**
	 * Returns a time that only a wrong clock can have written. Any other value shows that
	 * a node has been here since.
	 */
	private @Nullable Instant wrong(String attribute) {
		Instant most = this.now.latest().plus(MOST_EARLY);
		return this.seen.time(attribute).filter((time) -> time.isAfter(most)).orElse(null);
	}

	private Instant latest() {
		return this.run.tick().minusMillis(1);
	}

	private Instant since(JobSchedule.Gap gap) {
		return this.now.at().minus(gap.length());
	}

	ItemCondition condition() {
		if (!isFirst()) {
			ItemCondition unfinished = JobRecord.unfinished(this.run.tick(), this.seen.attempt());
			return (this.end != null) ? unfinished : JobRecord.notPaused().and(unfinished);
		}
		ItemCondition first = JobRecord.notPaused()
			.and(JobRecord.notAfter(JobRecord.TICK, latest(), wrong(JobRecord.TICK)));
		JobSchedule.Gap gap = this.run.job().schedule().gap();
		return (gap == null) ? first
				: first.and(JobRecord.notAfter(gap.attribute(), since(gap), wrong(gap.attribute())));
	}

	/**
	 * Adds the condition and the record to the request for the job's lock. It neither
	 * waits nor holds the lock for longer than the run: the condition and the watch do
	 * that.
	 * @param plain the request of a call that is no run
	 * @return the request that starts the run, or records its end
	 */
	public LockRequest claim(LockRequest plain) {
		LockedJob job = this.run.job();
		LockRequest claim = plain.waitTime(Duration.ZERO)
			.awaitSilentOwner(false)
			.holdAtLeast(Duration.ZERO)
			.keepItem(true)
			.condition(condition());
		if (this.end != null) {
			return claim.change(JobRecord.ended(this.run, this.now.at(), this.end, null));
		}
		ItemChange started = JobRecord.started(this.run, isFirst(), this.now.at(), job.client().ownerName());
		Duration limit = job.limit();
		ItemChange timedOut = JobRecord.ended(this.run, (limit != null) ? this.now.at().plus(limit) : this.now.at(),
				JobOutcome.TIMED_OUT, null);
		return claim.change(started, JobRecord.unused(this.run)).changeAtLimit(timedOut).releaseOnClose(false);
	}

	/**
	 * A reading of the node's clock that was compared with DynamoDB's.
	 *
	 * @param at the time
	 * @param tolerance by how much it may be wrong
	 * @param nanoTime when it was read, on the clock that measures durations
	 */
	public record Reading(Instant at, Duration tolerance, long nanoTime) {

		/** Returns the latest time that another node's clock may show. */
		Instant latest() {
			return this.at.plus(this.tolerance.multipliedBy(2));
		}

	}

}
