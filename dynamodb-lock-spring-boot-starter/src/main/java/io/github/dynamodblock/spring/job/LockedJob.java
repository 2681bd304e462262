/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.Optional;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;

/**
 * A method with {@link io.github.dynamodblock.spring.ScheduledLock} that Spring
 * schedules, and the lock under which it runs. Immutable and thread-safe.
 *
 * @param name the name of the job: that of its lock, and the key if there is one lock for
 * each value of an expression
 * @param key the lock
 * @param location the class and the method, for messages
 * @param schedule when the job is due
 * @param onCrash what happens to a run whose node has crashed
 * @param attempts how often a tick is run at most, at least 1
 * @param onMissed what happens to missed ticks
 * @param client the client that acquires the lock
 */
public record LockedJob(String name, LockKey key, String location, JobSchedule schedule, OnCrash onCrash, int attempts,
		OnMissed onMissed, LockClient client) {

	/**
	 * Reads the job's ledger by one consistent read.
	 * @return the ledger; empty if the lock was never acquired
	 */
	public Optional<JobLedger> ledger() {
		return this.client.find(this.key).map(JobLedger::of);
	}

	/**
	 * Pauses the job on all nodes: no run of it starts until {@link #resume()}. A run
	 * that is under way is not stopped. It is awaited for the wait time of the client.
	 * @param reason why, for people
	 * @throws LockNotGrantedException if a run went on for longer than the wait time; the
	 * job is not paused
	 * @throws InterruptedException if the thread is interrupted while it waits; the job
	 * is not paused
	 */
	public void pause(String reason) throws InterruptedException {
		change(request(JobLedger.pause(reason)));
	}

	/**
	 * Pauses the job on all nodes, as {@link #pause(String)} does.
	 * @param reason why, for people
	 * @param waitTime how long to wait for a run that is under way, and one lease longer
	 * for one whose node seems to have crashed
	 * @throws LockNotGrantedException if a run went on for longer; the job is not paused
	 * @throws InterruptedException if the thread is interrupted while it waits; the job
	 * is not paused
	 */
	public void pause(String reason, Duration waitTime) throws InterruptedException {
		change(request(JobLedger.pause(reason)).waitTime(waitTime).awaitSilentOwner(true));
	}

	/**
	 * Resumes the job on all nodes, from the next tick on.
	 * @throws LockNotGrantedException if the lock was held for longer than the wait time;
	 * the job stays paused
	 * @throws InterruptedException if the thread is interrupted while it waits; the job
	 * stays paused
	 */
	public void resume() throws InterruptedException {
		change(request(JobLedger.resume()));
	}

	/**
	 * Resumes the job on all nodes, as {@link #resume()} does.
	 * @param waitTime how long to wait while the lock is held, and one lease longer for a
	 * holder that seems to have crashed
	 * @throws LockNotGrantedException if the lock was held for longer; the job stays
	 * paused
	 * @throws InterruptedException if the thread is interrupted while it waits; the job
	 * stays paused
	 */
	public void resume(Duration waitTime) throws InterruptedException {
		change(request(JobLedger.resume()).waitTime(waitTime).awaitSilentOwner(true));
	}

	/**
	 * Without keeping the item, the release would set a time to live, or delete the
	 * ledger.
	 */
	private LockRequest request(ItemChange change) {
		return LockRequest.of(this.key).keepItem(true).change(change);
	}

	/**
	 * The acquisition writes the change: what becomes of the release is logged, and does
	 * not undo it.
	 */
	private void change(LockRequest request) throws InterruptedException {
		this.client.acquire(request).close();
	}

	@Override
	public String toString() {
		return "job '" + this.name + "' (" + this.location + ", " + this.schedule + ")";
	}

}
