/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;

/**
 * A run that this node tries to start: the claim of the lock carries the condition that
 * no other node has started it, and writes it into the ledger. Immutable.
 *
 * @param run the attempt to start
 * @param at the time by the node's clock
 * @param catchUp whether the run is for ticks that were missed
 */
public record JobStart(JobRun run, Instant at, boolean catchUp) {

	/**
	 * Creates the start of the tick that is due.
	 * @param job the job
	 * @param now the time by the node's clock
	 * @return the start, or empty if no tick is due at any time
	 */
	public static Optional<JobStart> due(LockedJob job, Instant now) {
		return job.schedule().tick(now).map((tick) -> new JobStart(new JobRun(job, tick, 1), now, false));
	}

	/**
	 * Creates the start of a manual run: outside of the schedule, whatever ticks are due.
	 * @param job the job
	 * @param now the time by the node's clock
	 * @return the start
	 */
	public static JobStart manual(LockedJob job, Instant now) {
		return new JobStart(new JobRun(job, now.truncatedTo(ChronoUnit.MILLIS), 1, true), now, false);
	}

	/**
	 * Decides which run to start apart from the schedule, if the lock is free or its
	 * lease has expired.
	 * @param job the job
	 * @param ledger the job's ledger
	 * @param now the time by the node's clock
	 * @return the next attempt of a run that did not finish, or one run for the ticks
	 * that were missed; empty if there is nothing to start
	 */
	public static Optional<JobStart> due(LockedJob job, JobLedger ledger, Instant now) {
		Instant last = ledger.tick().orElse(null);
		if (last == null || ledger.paused().isPresent()) {
			return Optional.empty();
		}
		if (!ledger.isTickFinished() && job.onCrash() == OnCrash.RERUN && ledger.attempt() > 0
				&& ledger.attempt() < job.attempts()) {
			return Optional.of(new JobStart(new JobRun(job, last, ledger.attempt() + 1), now, false));
		}
		// Fire times of a new schedule that passed under the old one were not missed.
		if (job.onMissed() == OnMissed.RUN_ONCE && ledger.isOf(job.schedule())
				&& job.schedule() instanceof JobSchedule.Cron cron) {
			return cron.latest(last, now).map((tick) -> new JobStart(new JobRun(job, tick, 1), now, true));
		}
		return Optional.empty();
	}

	/**
	 * {@return whether this is a further attempt of a run that did not finish}
	 */
	public boolean isRerun() {
		return this.run.attempt() > 1;
	}

	/**
	 * Returns the same start at another time. A manual run is named after that time.
	 * @param now the time by the node's clock
	 * @return the start
	 */
	public JobStart at(Instant now) {
		return this.run.manual() ? manual(this.run.job(), now) : new JobStart(this.run, now, this.catchUp);
	}

	/**
	 * Adds the condition and the ledger to the request for the job's lock.
	 * @param request the request for a plain lock
	 * @param node the name of this node
	 * @return the request that starts the run
	 */
	public LockRequest claim(LockRequest request, String node) {
		LockRequest claim = request.keepItem(true)
			.condition(condition())
			.change(this.run.manual() ? JobLedger.startedManually(this.run.tick(), node)
					: JobLedger.started(this.run.tick(), this.run.attempt(), this.at, node));
		if (isRerun() || this.catchUp || this.run.manual()) {
			claim = claim.waitTime(Duration.ZERO);
		}
		if (this.run.manual()) {
			// What an operator starts after a crash need not be started again.
			return claim.awaitSilentOwner(true);
		}
		// What a crashed node has left is rerun, without a thread that waits for it.
		return (this.run.job().onCrash() == OnCrash.RERUN) ? claim.awaitSilentOwner(false) : claim;
	}

	ItemCondition condition() {
		if (this.run.manual()) {
			return JobLedger.notPaused();
		}
		if (isRerun()) {
			return JobLedger.next(this.run.tick(), this.run.attempt() - 1);
		}
		ItemCondition first = JobLedger.first(this.run.tick());
		@Nullable ItemCondition due = this.run.job().schedule().due(this.at);
		return (due != null) ? first.and(due) : first;
	}

	boolean isOfSameRun(JobStart other) {
		return this.run.tick().equals(other.run.tick()) && this.run.attempt() == other.run.attempt();
	}

}
