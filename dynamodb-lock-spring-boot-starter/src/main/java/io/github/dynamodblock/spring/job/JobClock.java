/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

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
	 * Returns why this node claims no tick of a job now.
	 * @param job the job
	 * @return the reason, for people; empty if the clock is accurate enough
	 * @throws LockException if that depends on DynamoDB, which does not answer
	 */
	default Optional<String> refusal(LockedJob job) {
		return Optional.empty();
	}

}
