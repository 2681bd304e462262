/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

/**
 * What the cycles of one client used, turn by turn. Not thread-safe but where it says so.
 */
final class CycleUsage {

	private static final double NANOS_PER_MICRO = 1_000;

	private static final double BYTES_PER_KILOBYTE = 1_024;

	private final Samples cpuMicros = new Samples();

	private final Samples kilobytes = new Samples();

	private final Samples perSecond = new Samples();

	private final Samples millis = new Samples();

	private long calls;

	private long cycles;

	/** Adds the time of one cycle. Thread-safe. */
	void addCycle(double cycleMillis) {
		this.millis.add(cycleMillis);
	}

	void addTurn(int cycles, long calls, long nanos, ProcessUsage before, ProcessUsage after) {
		this.cycles += cycles;
		this.calls += calls;
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

	/** The time of one cycle: the median of all cycles. */
	double millis() {
		return this.millis.median();
	}

	/** The time that a share of all cycles does not exceed. */
	double millis(double share) {
		return this.millis.quantile(share);
	}

	/** How many calls of DynamoDB a cycle made: the mean of all cycles. */
	double calls() {
		return (double) this.calls / this.cycles;
	}

	int turns() {
		return this.perSecond.size();
	}

}
