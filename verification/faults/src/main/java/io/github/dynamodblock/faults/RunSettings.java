/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

import io.github.dynamodblock.faults.nemesis.FaultKind;
import io.github.dynamodblock.faults.worker.LockKind;

/**
 * What a run is like.
 *
 * @param duration how long new faults begin
 * @param seed of all choices
 * @param kind what the nodes lock with
 * @param faults what goes wrong
 * @param meanPause the mean time between two faults
 * @param directory where logs and the database's files go
 */
public record RunSettings(Duration duration, long seed, LockKind kind, Set<FaultKind> faults, Duration meanPause,
		Path directory) {

	/** How many locks the nodes contend for. */
	public static final int LOCKS = 20;

	/** How many threads each node has. */
	public static final int THREADS = 8;

	/** How many nodes there are. */
	public static final int NODES = 5;

	private static final Duration MEAN_PAUSE = Duration.ofMillis(1200);

	private static final Duration SHORT_MEAN_PAUSE = Duration.ofMillis(500);

	/** Everything goes wrong. */
	static RunSettings of(LockKind kind, Duration duration, long seed, Path directory) {
		Set<FaultKind> faults = EnumSet.allOf(FaultKind.class);
		if (kind != LockKind.OURS) {
			// Only our own client can be given a clock.
			faults.removeIf((each) -> each.place() == FaultKind.Place.CLOCK);
		}
		return new RunSettings(duration, seed, kind, faults, MEAN_PAUSE, directory);
	}

	/**
	 * Nodes that break the rules, under faults that allow no anomaly: what they do must
	 * be seen.
	 */
	static RunSettings proof(LockKind kind, Duration duration, long seed, Path directory) {
		return new RunSettings(duration, seed, kind, EnumSet.of(FaultKind.LONG_PAUSE, FaultKind.BLACK_HOLE),
				SHORT_MEAN_PAUSE, directory);
	}

	public boolean isProof() {
		return this.kind.isBroken();
	}

}
