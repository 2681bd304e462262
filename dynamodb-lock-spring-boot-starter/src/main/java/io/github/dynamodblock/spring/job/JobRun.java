/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to run a job for a scheduled time. The claim of the lock records the
 * attempt, on the condition that no other node has started it. Immutable.
 *
 * @param job the job
 * @param tick the scheduled time: the nominal fire time of a cron expression, or with a
 * fixed rate or delay, when the first attempt was claimed
 * @param attempt the attempt, from 1
 * @param seen the record from which this node decided to start it
 * @param now the reading of the node's clock
 * @param end how the run has ended, if the claim only records the end; {@code null} to
 * start the run
 */
record JobRun(LockedJob job, Instant tick, int attempt, JobRecord seen, JobClock.Reading now,
		@Nullable JobOutcome end) {

	/**
	 * Creates a run that starts at its scheduled time.
	 * @param job the job
	 * @param tick the scheduled time
	 * @param attempt the attempt, from 1
	 */
	JobRun(LockedJob job, Instant tick, int attempt) {
		this(job, tick, attempt, JobRecord.NONE, new JobClock.Reading(tick, Duration.ZERO, 0), null);
	}

	/**
	 * Decides what this node does next about a job, once the lock is free or its owner's
	 * lease has expired. The latest tick replaces an earlier one that did not finish.
	 * @param job the job
	 * @param seen the job's record, as last read
	 * @param wanted the tick of the scheduler's last call on this node, or {@code null}
	 * @param now the reading of the node's clock
	 * @return the run to start, or to record as ended; empty if there is nothing to do
	 */
	static Optional<JobRun> next(LockedJob job, JobRecord seen, @Nullable Instant wanted, JobClock.Reading now) {
		if (seen.paused().isPresent() || !seen.isDecidable()) {
			return Optional.empty();
		}
		Optional<JobRun> first = due(job, seen, wanted, now).map((tick) -> new JobRun(job, tick, 1, seen, now, null))
			.filter((run) -> run.isFirst() && run.isDue());
		return (first.isPresent() || !isToFinish(job, seen)) ? first : again(job, seen, now);
	}

	/**
	 * Returns whether this job's nodes rerun the latest run or record its end. A run of
	 * another method is left to the nodes with that method.
	 */
	private static boolean isToFinish(LockedJob job, JobRecord seen) {
		return seen.isUnfinished() && seen.isOfMethod(job.location());
	}

	/** Returns the tick that this node may start, if no other node has started it. */
	private static Optional<Instant> due(LockedJob job, JobRecord seen, @Nullable Instant wanted,
			JobClock.Reading now) {
		if (job.schedule() instanceof JobSchedule.Cron cron) {
			if (wanted != null) {
				// A call from when the clock was wrong may want a tick of that wrong
				// time.
				Instant latest = now.at().plus(JobSchedule.Cron.MOST_EARLY);
				return cron.latest(wanted, now.at())
					.or(() -> Optional.of(wanted).filter((early) -> !early.isAfter(latest)));
			}
			boolean catchesUp = job.onMissed() == OnMissed.RUN_ONCE && seen.isOf(cron);
			return catchesUp ? seen.tick().flatMap((last) -> cron.latest(last, now.at())) : Optional.empty();
		}
		// A run at a fixed rate has no scheduled time that a later one could replace.
		return (wanted != null && !isToFinish(job, seen)) ? job.schedule().tick(now.at(), null) : Optional.empty();
	}

	private static Optional<JobRun> again(LockedJob job, JobRecord seen, JobClock.Reading now) {
		Instant tick = seen.tick().orElseThrow();
		boolean timedOut = seen.isTimedOut(job.limit(), now.latest());
		boolean missed = job.onMissed() == OnMissed.SKIP && job.schedule() instanceof JobSchedule.Cron cron
				&& cron.latest(tick, now.at()).isPresent();
		if (missed && seen.startedAt().isEmpty()) {
			// It was interrupted or never began. The next run reports it as missed.
			return Optional.empty();
		}
		if (timedOut || missed || seen.attempt() >= job.attempts()) {
			JobOutcome end = timedOut ? JobOutcome.TIMED_OUT : JobOutcome.CRASHED;
			return Optional.of(new JobRun(job, tick, seen.attempt(), seen, now, end));
		}
		return Optional.of(new JobRun(job, tick, seen.attempt() + 1, seen, now, null));
	}

	/** Returns whether the record allows the first attempt, as its claim requires. */
	private boolean isDue() {
		return isNotAfter(JobRecord.TICK, this.tick.minusMillis(1))
				&& (!(this.job.schedule() instanceof JobSchedule.Periodic rate)
						|| isNotAfter(JobRecord.origin(rate), this.now.at().minus(rate.gap())));
	}

	private boolean isNotAfter(String attribute, Instant limit) {
		return this.seen.time(attribute).filter((time) -> time.isAfter(limit) && !isWrong(time)).isEmpty();
	}

	/** Returns whether only a wrong clock can have written a time. */
	private boolean isWrong(Instant time) {
		return time.isAfter(this.now.latest().plus(JobSchedule.Cron.MOST_EARLY));
	}

	/** Returns whether this is the first claim of its tick. */
	boolean isFirst() {
		return !this.tick.equals(this.seen.tick().orElse(null));
	}

	/** Returns whether this repeats an attempt that started and did not finish. */
	boolean isRerun() {
		return this.end == null && !isFirst() && this.seen.startedAt().isPresent();
	}

	ItemCondition condition() {
		if (!isFirst()) {
			ItemCondition unfinished = JobRecord.unfinished(this.tick, this.seen.attempt());
			return (this.end != null) ? unfinished : JobRecord.notPaused().and(unfinished);
		}
		ItemCondition first = JobRecord.notPaused().and(notAfter(JobRecord.TICK, this.tick.minusMillis(1)));
		return (this.job.schedule() instanceof JobSchedule.Periodic rate)
				? first.and(notAfter(JobRecord.origin(rate), this.now.at().minus(rate.gap()))) : first;
	}

	/**
	 * Returns the condition that a time of the record has passed, or still has the value
	 * that only a wrong clock can have written. Any other value shows that a node has
	 * claimed the job in the meantime.
	 */
	private ItemCondition notAfter(String attribute, Instant limit) {
		Instant wrong = this.seen.time(attribute).filter(this::isWrong).orElse(null);
		return JobRecord.notAfter(attribute, limit, wrong);
	}

	@Override
	public String toString() {
		return "attempt " + this.attempt + " of tick " + this.tick + " of " + this.job;
	}

}
