/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;

/**
 * A method with {@link io.github.dynamodblock.spring.ScheduledLock} that has a schedule,
 * and the lock under which it runs. Two jobs are equal if they have the same lock, even
 * if their schedules differ. Immutable and thread-safe.
 *
 * @param name the name of the job, as annotated
 * @param key the lock
 * @param keyed whether the job has one lock for each value of a key expression
 * @param location the class and the method; messages show it, and the record identifies
 * the method by it
 * @param schedule when the job is due
 * @param attempts how often a tick may run if its nodes crash, at least 1
 * @param onMissed what happens to missed ticks
 * @param holdAtMost the maximum duration of a run, or {@code null} for the client's limit
 * @param client the client that acquires the lock
 */
public record LockedJob(String name, LockKey key, boolean keyed, String location, JobSchedule schedule, int attempts,
		OnMissed onMissed, @Nullable Duration holdAtMost, LockClient client) {

	/**
	 * {@return the id for {@link LockedJobs#find}: the job's name, or the key of its lock
	 * if the job has a key expression}
	 */
	public String id() {
		return this.keyed ? this.key.toString() : this.name;
	}

	/** Returns the maximum duration of a run, or {@code null} if there is no limit. */
	@Nullable Duration limit() {
		return (this.holdAtMost != null) ? this.holdAtMost : this.client.holdAtMost().orElse(null);
	}

	/**
	 * Returns the next time at which the job is due.
	 * @param now the time by the node's clock
	 * @param record the job's record
	 * @return the time, or empty if it is not known
	 */
	public Optional<Instant> next(Instant now, JobRecord record) {
		return (this.schedule instanceof JobSchedule.Periodic rate)
				? record.time(JobRecord.origin(rate)).map((last) -> last.plus(rate.period())) : this.schedule.next(now);
	}

	/**
	 * Reads the job's record with one strongly consistent read.
	 * @return the record; empty if the lock was never acquired
	 * @throws LockStoreException if DynamoDB does not answer
	 */
	public Optional<JobRecord> record() {
		return this.client.find(this.key).map(JobRecord::of);
	}

	/**
	 * Pauses the job on all nodes. No run starts until {@link #resume()}; a run in
	 * progress continues.
	 * @param reason the reason, of which the record keeps 200 bytes
	 * @throws LockStoreException if DynamoDB does not confirm it
	 */
	public void pause(String reason) {
		this.client.change(this.key, JobRecord.pause(reason));
	}

	/**
	 * Resumes the job on all nodes, from the next tick on.
	 * @throws LockStoreException if DynamoDB does not confirm it
	 */
	public void resume() {
		this.client.change(this.key, JobRecord.resume());
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LockedJob job && this.client.equals(job.client) && this.key.equals(job.key);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.client, this.key);
	}

	@Override
	public String toString() {
		return "job '" + id() + "' (" + this.location + ", " + this.schedule + ")";
	}

}
