/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.LockedJob;

import org.springframework.beans.factory.annotation.Autowired;

/** A job clock that a test moves ahead, and that continues from there. */
final class TestJobClock extends JobClock {

	private final AtomicLong aheadNanos;

	@Autowired
	TestJobClock(DynamoDbLockProperties properties) {
		this(properties.jobs().clockTolerance(), new AtomicLong());
	}

	private TestJobClock(Duration tolerance, AtomicLong aheadNanos) {
		super(() -> Instant.now().plusNanos(aheadNanos.get()), tolerance);
		this.aheadNanos = aheadNanos;
	}

	/** Moves the clock to a time, unless it shows a later one. */
	void moveTo(Instant time) {
		this.aheadNanos.accumulateAndGet(Duration.between(Instant.now(), time).toNanos(), Math::max);
	}

	/** Accepts the clock: a moved clock cannot agree with DynamoDB's. */
	@Override
	public Optional<Reading> checked(LockedJob job) {
		return (this.aheadNanos.get() == 0) ? super.checked(job) : Optional.of(read(job));
	}

}
