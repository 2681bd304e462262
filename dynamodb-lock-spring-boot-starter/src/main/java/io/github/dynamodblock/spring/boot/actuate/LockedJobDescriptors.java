/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.event.JobManagedEvent.Action;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobLedger;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.LockedJob;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint {@code lockedjobs} answers.
 *
 * <pre>{@code
 * Object jobs = endpoint.jobs().getBody();
 * }</pre>
 */
public final class LockedJobDescriptors {

	private LockedJobDescriptors() {
	}

	/**
	 * The jobs of this application.
	 *
	 * @param jobs the jobs, by their names
	 * @param truncated whether there are more
	 */
	public record Jobs(List<Job> jobs, boolean truncated) implements OperationResponseBody {
	}

	/** The state of a job. */
	public enum State {

		/** No run has started. */
		NEVER_RUN,

		/** A run is under way. */
		RUNNING,

		/** The latest run has finished. */
		FINISHED,

		/** The latest run has not finished, and no node runs it: its node crashed. */
		CRASHED

	}

	/**
	 * A job, and what the ledger in its lock's item shows. Times are those of the nodes'
	 * clocks.
	 *
	 * @param name its name
	 * @param key the partition key of its lock
	 * @param sortKey the sort key of its lock, if the table has one
	 * @param method its class and method
	 * @param schedule when it is due
	 * @param next when it is due next, if that is known
	 * @param state the state
	 * @param paused why it is paused; absent if it is not
	 * @param lastRun the latest run; absent if no run has started
	 * @param lastFinished the run that finished last; absent if none has
	 * @param lastSuccessAt when a run was successful last
	 * @param missed how many ticks after that of the latest run are over, at most 1,000
	 * @param clockDifference by how much this node's clock is ahead of DynamoDB's at
	 * least; negative if it is behind, absent if it is not known
	 * @param clockRefusal why this node does not start the job now; absent if its clock
	 * is accurate enough
	 * @param problems what is wrong with the ledger; absent if nothing is
	 */
	public record Job(String name, String key, @Nullable String sortKey, String method, String schedule,
			@Nullable Instant next, State state, @Nullable String paused, @Nullable Run lastRun,
			@Nullable FinishedRun lastFinished, @Nullable Instant lastSuccessAt, int missed,
			@Nullable Duration clockDifference, @Nullable String clockRefusal,
			@Nullable List<String> problems) implements OperationResponseBody {

		private static final int MOST_MISSED = 1_000;

		static Job of(LockedJob job, Optional<LockRecord> lock, JobClock clock) {
			JobLedger ledger = lock.map(JobLedger::of).orElseGet(() -> JobLedger.of(Map.of()));
			Instant now = clock.now();
			State state = state(ledger, lock, now);
			return new Job(job.name(), job.key().partition(), job.key().sort(), job.location(),
					job.schedule().toString(), job.schedule().next(now, ledger).orElse(null), state,
					ledger.paused().orElse(null), run(ledger, state, now), finished(ledger),
					ledger.lastSuccessAt().orElse(null), missed(job, ledger, now),
					job.client().serviceTime().map((time) -> time.differenceOf(now)).orElse(null),
					clock.refusal(job).orElse(null), ledger.problems().isEmpty() ? null : ledger.problems());
		}

		private static State state(JobLedger ledger, Optional<LockRecord> lock, Instant now) {
			if (ledger.tick().isEmpty() && !ledger.isManual()) {
				return State.NEVER_RUN;
			}
			if (ledger.isFinished()) {
				return State.FINISHED;
			}
			boolean held = lock.filter((record) -> !record.isReleased() && !record.isOwnerSilent(now)).isPresent();
			return held ? State.RUNNING : State.CRASHED;
		}

		private static @Nullable Run run(JobLedger ledger, State state, Instant now) {
			if (state == State.NEVER_RUN) {
				return null;
			}
			Duration runningFor = (state == State.RUNNING)
					? ledger.startedAt().map((startedAt) -> notNegative(Duration.between(startedAt, now))).orElse(null)
					: null;
			return ledger.isManual()
					? new Run(null, null, true, ledger.node().orElse(null), ledger.startedAt().orElse(null), runningFor)
					: new Run(ledger.tick().orElse(null), ledger.attempt(), null, ledger.node().orElse(null),
							ledger.startedAt().orElse(null), runningFor);
		}

		private static @Nullable FinishedRun finished(JobLedger ledger) {
			boolean manual = ledger.isFinishedManual();
			if (!manual && ledger.finishedTick().isEmpty()) {
				return null;
			}
			return new FinishedRun(manual ? null : ledger.finishedTick().orElse(null), manual ? true : null,
					ledger.finishedAt().orElse(null), duration(ledger), ledger.outcome().orElse(null),
					ledger.error().orElse(null));
		}

		/** The start of an earlier run is not known any more. */
		private static @Nullable Duration duration(JobLedger ledger) {
			return (ledger.isFinished() && ledger.startedAt().isPresent() && ledger.finishedAt().isPresent())
					? notNegative(Duration.between(ledger.startedAt().get(), ledger.finishedAt().get())) : null;
		}

		private static int missed(LockedJob job, JobLedger ledger, Instant now) {
			return ledger.tick()
				.map((last) -> job.schedule().between(last, job.schedule().tick(now).orElse(last), MOST_MISSED).size())
				.orElse(0);
		}

		private static Duration notNegative(Duration duration) {
			return duration.isNegative() ? Duration.ZERO : duration;
		}

	}

	/**
	 * The latest run.
	 *
	 * @param tick the tick; absent for a manual run
	 * @param attempt the attempt, from 1; absent for a manual run
	 * @param manual whether the run was started manually; absent if it was not
	 * @param node the owner name of its node's lock client
	 * @param startedAt when it started
	 * @param runningFor how long it has been under way; absent if it is not
	 */
	public record Run(@Nullable Instant tick, @Nullable Integer attempt, @Nullable Boolean manual,
			@Nullable String node, @Nullable Instant startedAt, @Nullable Duration runningFor) {
	}

	/**
	 * The run that finished last.
	 *
	 * @param tick the tick; absent for a manual run
	 * @param manual whether the run was started manually; absent if it was not
	 * @param finishedAt when it finished
	 * @param duration how long it took; absent if a later run has started
	 * @param outcome how it ended
	 * @param error its exception; absent if it was successful
	 */
	public record FinishedRun(@Nullable Instant tick, @Nullable Boolean manual, @Nullable Instant finishedAt,
			@Nullable Duration duration, @Nullable JobOutcome outcome, @Nullable String error) {
	}

	/**
	 * What was done with a job.
	 *
	 * @param job its name
	 * @param action what was done
	 * @param node the owner name of this node's lock client; a manual run is scheduled
	 * there
	 */
	public record Done(String job, Action action, String node) implements OperationResponseBody {
	}

}
