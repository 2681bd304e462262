/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The wall clock of a process, which is compared with DynamoDB's.
 */
final class SimulatedClock extends Clock implements JobClock {

	private final SimulatedProcess process;

	private final CheckedJobClock checked = new CheckedJobClock(this, Duration.ofSeconds(30));

	SimulatedClock(SimulatedProcess process) {
		this.process = process;
	}

	@Override
	public Instant instant() {
		return this.process.wallClock();
	}

	@Override
	public Instant now() {
		return instant();
	}

	@Override
	public Optional<Instant> checked(LockedJob job) {
		return this.checked.checked(job);
	}

	@Override
	public Duration tolerance(LockedJob job) {
		return this.checked.tolerance(job);
	}

	@Override
	public long nanoTime() {
		return this.process.now().holderNanos();
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException("Not needed");
	}

}
