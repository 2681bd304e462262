/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.job.JobRecord;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.LockedJob;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Responses of the endpoint {@code lockedjobs}.
 *
 * <pre>{@code
 * Jobs jobs = endpoint.jobs();
 * }</pre>
 */
public final class LockedJobDescriptors {

	private LockedJobDescriptors() {
	}

	/**
	 * The jobs of this application.
	 *
	 * @param jobs the jobs, ordered by name
	 * @param truncated whether there are more
	 */
	public record Jobs(List<Job> jobs, boolean truncated) implements OperationResponseBody {
	}

	/** The state of a job's latest tick. */
	public enum State {

		/** No run has started. */
		NEVER_RUN,

		/** A run is in progress. */
		RUNNING,

		/** The latest tick has finished, see the outcome. */
		FINISHED,

		/**
		 * A shutdown interrupted the latest attempt, and no node has started it again.
		 */
		INTERRUPTED,

		/** The latest attempt has not finished, and no node runs it: its node crashed. */
		CRASHED

	}

	/**
	 * A job and the record in its lock's item. Times are by the nodes' clocks.
	 *
	 * @param name its name
	 * @param key the partition key of its lock
	 * @param sortKey the sort key of its lock, if the table has one
	 * @param method its class and method
	 * @param schedule when it is due
	 * @param next when it is due next, if that is known
	 * @param state the state
	 * @param paused why it is paused; absent if it is not
	 * @param heldBy the owner of the lock if it is held; absent if it is free
	 * @param lastRun the latest run; absent if no run has started
	 * @param lastFinished the tick that finished last; absent if none has
	 * @param lastSuccessAt when a call last succeeded
	 * @param missed the number of ticks between the latest run and the latest tick that
	 * is due, at most 1,000
	 * @param clockDifference the minimum time by which this node's clock is ahead of
	 * DynamoDB's; negative if it is behind, absent if it is unknown
	 * @param problems what is wrong with the record; absent if nothing is
	 */
	public record Job(String name, String key, @Nullable String sortKey, String method, String schedule,
			@Nullable Instant next, State state, @Nullable String paused, @Nullable String heldBy,
			@Nullable Run lastRun, @Nullable FinishedRun lastFinished, @Nullable Instant lastSuccessAt, int missed,
			@Nullable Duration clockDifference, @Nullable List<String> problems) implements OperationResponseBody {

		private static final int MOST_MISSED = 1_000;

		static Job of(LockedJob job, Optional<LockRecord> lock, Instant now) {
			JobRecord record = lock.map(JobRecord::of).orElse(JobRecord.NONE);
			State state = state(record, now);
			return new Job(job.id(), job.key().partition(), job.key().sort(), job.location(), job.schedule().toString(),
					job.next(now, record).orElse(null), state, record.paused().orElse(null),
					lock.filter((held) -> !held.isReleased()).map(LockRecord::ownerName).orElse(null),
					run(record, state, now), finished(record), record.lastSuccessAt().orElse(null),
					missed(job, record, now),
					job.client()
						.serviceTime()
						.map((time) -> LockDescriptors.shown(time.differenceOf(now)))
						.orElse(null),
					record.problems().isEmpty() ? null : record.problems());
		}

		private static State state(JobRecord record, Instant now) {
			if (record.tick().isEmpty()) {
				return State.NEVER_RUN;
			}
			if (record.isFinished()) {
				return State.FINISHED;
			}
			if (record.isRunning(now)) {
				return State.RUNNING;
			}
			return record.startedAt().isPresent() ? State.CRASHED : State.INTERRUPTED;
		}

		private static @Nullable Run run(JobRecord record, State state, Instant now) {
			Duration runningFor = record.startedAt()
				.filter((startedAt) -> state == State.RUNNING)
				.map((startedAt) -> LockDescriptors.elapsed(startedAt, now))
				.orElse(null);
			return record.tick()
				.map((tick) -> new Run(tick, record.attempt(), record.node().orElse(null),
						record.startedAt().orElse(null), runningFor))
				.orElse(null);
		}

		private static @Nullable FinishedRun finished(JobRecord record) {
			return record.finishedTick()
				.map((tick) -> new FinishedRun(tick, record.finishedAt().orElse(null), duration(record),
						record.outcome().orElse(null), record.error().orElse(null)))
				.orElse(null);
		}

		/** The record keeps the start only for the latest run. */
		private static @Nullable Duration duration(JobRecord record) {
			return (record.isFinished() && record.startedAt().isPresent() && record.finishedAt().isPresent())
					? LockDescriptors.elapsed(record.startedAt().get(), record.finishedAt().get()) : null;
		}

		private static int missed(LockedJob job, JobRecord record, Instant now) {
			return record.tick()
				.map((last) -> job.schedule()
					.between(last, job.schedule().tick(now, null).orElse(last), MOST_MISSED)
					.size())
				.orElse(0);
		}

	}

	/**
	 * The latest run.
	 *
	 * @param tick the scheduled time
	 * @param attempt the attempt, from 1; 0 if none has begun
	 * @param node the owner name of its node's lock client; absent if the run must start
	 * again
	 * @param startedAt when it started; absent if the run must start again
	 * @param runningFor how long it has been in progress; absent if it is not in progress
	 */
	public record Run(Instant tick, int attempt, @Nullable String node, @Nullable Instant startedAt,
			@Nullable Duration runningFor) {
	}

	/**
	 * The tick that finished last.
	 *
	 * @param tick the scheduled time
	 * @param finishedAt when it finished
	 * @param duration how long its last attempt took; absent if a later run has started
	 * @param outcome how it ended
	 * @param error its exception; absent if it has none
	 */
	public record FinishedRun(Instant tick, @Nullable Instant finishedAt, @Nullable Duration duration,
			@Nullable JobOutcome outcome, @Nullable String error) {
	}

	/** What an operator can do with a job. */
	public enum Action {

		/** No run starts on any node until the job is resumed. */
		PAUSE,

		/** Runs start again on all nodes. */
		RESUME,

		/** The job is called on this node, outside its schedule. */
		RUN

	}

	/**
	 * The result of an action.
	 *
	 * @param job its name
	 * @param action what was done
	 * @param node the owner name of this node's lock client, on which a call runs
	 * @param refusal why it was not done; absent if it was
	 */
	public record Done(String job, Action action, String node,
			@Nullable String refusal) implements OperationResponseBody {
	}

}
