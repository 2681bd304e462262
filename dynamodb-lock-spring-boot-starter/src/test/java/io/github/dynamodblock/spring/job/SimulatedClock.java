/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;

/**
 * The clock of a process, which is compared with DynamoDB's.
 */
class SimulatedClock extends JobClock {

	private final SimulatedProcess process;

	SimulatedClock(SimulatedProcess process) {
		super(process::wallClock, Duration.ofSeconds(30));
		this.process = process;
	}

	@Override
	public long nanoTime() {
		return this.process.now().holderNanos();
	}

}
