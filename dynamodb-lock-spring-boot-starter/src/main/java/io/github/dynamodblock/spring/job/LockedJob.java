/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.Optional;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
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

	@Override
	public String toString() {
		return "job '" + this.name + "' (" + this.location + ", " + this.schedule + ")";
	}

}
