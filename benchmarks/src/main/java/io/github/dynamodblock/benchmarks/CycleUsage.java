/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

/**
 * What the cycles of one client used, a sample a turn. Not thread-safe.
 */
final class CycleUsage {

	private static final double NANOS_PER_MICRO = 1_000;

	private static final double BYTES_PER_KILOBYTE = 1_024;

	private final Samples cpuMicros = new Samples();

	private final Samples kilobytes = new Samples();

	private final Samples perSecond = new Samples();

	void add(int cycles, long nanos, ProcessUsage before, ProcessUsage after) {
		this.cpuMicros.add(after.cpuNanosSince(before) / NANOS_PER_MICRO / cycles);
		this.kilobytes.add(after.allocatedBytesSince(before) / BYTES_PER_KILOBYTE / cycles);
		this.perSecond.add(cycles / Units.seconds(nanos));
	}

	/** The processor time of this process for one cycle: the median of the turns. */
	double cpuMicros() {
		return this.cpuMicros.median();
	}

	/** What this process allocated for one cycle: the median of the turns. */
	double kilobytes() {
		return this.kilobytes.median();
	}

	/** How many cycles all threads ran in a second: the median of the turns. */
	double perSecond() {
		return this.perSecond.median();
	}

	int turns() {
		return this.perSecond.size();
	}

}
