/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import io.github.dynamodblock.LockException;

/**
 * The clock by which this node decides which tick is due, and whether it may be relied
 * on. Thread-safe.
 */
@FunctionalInterface
public interface JobClock {

	/** The wall clock of this machine, which is always relied on. */
	JobClock SYSTEM = Instant::now;

	/**
	 * {@return the time by the node's clock}
	 */
	Instant now();

	/**
	 * Reads the clock to start a run of a job.
	 * @param job the job
	 * @return the time; empty if the clock is too inaccurate, so that this node starts
	 * none
	 * @throws LockException if that depends on DynamoDB, which does not answer
	 */
	default Optional<Instant> checked(LockedJob job) {
		return Optional.of(now());
	}

	/**
	 * Returns by how much the clock may be wrong when a job starts here.
	 * @param job the job
	 * @return the duration; 30 s by default
	 */
	default Duration tolerance(LockedJob job) {
		return Duration.ofSeconds(30);
	}

	/**
	 * {@return the reading of a monotonic clock, in nanoseconds, by which the duration of
	 * runs is measured}
	 */
	default long nanoTime() {
		return System.nanoTime();
	}

}
