/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

import io.github.dynamodblock.faults.checker.Owner;
import io.github.dynamodblock.faults.nemesis.FaultKind;
import io.github.dynamodblock.faults.worker.LockKind;
import org.jspecify.annotations.Nullable;

/**
 * What a run is like.
 *
 * @param duration how long new faults begin
 * @param seed of all choices
 * @param kind what the nodes lock with
 * @param faults what goes wrong
 * @param meanPause the mean time between two faults
 * @param directory where logs and the database's files go
 * @param previousClassPath the class path of processes that run another version of the
 * lock client, or {@code null} if all run this one
 */
public record RunSettings(Duration duration, long seed, LockKind kind, Set<FaultKind> faults, Duration meanPause,
		Path directory, @Nullable String previousClassPath) {

	/** How many locks the nodes contend for. */
	public static final int LOCKS = 20;

	/** How many threads each node has. */
	public static final int THREADS = 8;

	/** How many nodes there are. */
	public static final int NODES = 5;

	private static final Duration MEAN_PAUSE = Duration.ofMillis(1200);

	private static final Duration VERSIONS_MEAN_PAUSE = Duration.ofMillis(800);

	private static final Duration SHORT_MEAN_PAUSE = Duration.ofMillis(500);

	/** Everything goes wrong. */
	static RunSettings of(LockKind kind, Duration duration, long seed, Path directory) {
		Set<FaultKind> faults = EnumSet.allOf(FaultKind.class);
		if (kind != LockKind.OURS) {
			// Only our own client can be given a clock.
			faults.removeIf((each) -> each.place() == FaultKind.Place.CLOCK);
		}
		return new RunSettings(duration, seed, kind, faults, MEAN_PAUSE, directory, null);
	}

	/**
	 * Nodes that break the rules, under faults that allow no anomaly: what they do must
	 * be seen.
	 */
	static RunSettings proof(LockKind kind, Duration duration, long seed, Path directory) {
		return new RunSettings(duration, seed, kind, EnumSet.of(FaultKind.LONG_PAUSE, FaultKind.BLACK_HOLE),
				SHORT_MEAN_PAUSE, directory, null);
	}

	/**
	 * Processes of two versions, under faults that allow no anomaly: no table or item is
	 * deleted, and the clocks are right.
	 * @param previousClassPath the class path of the other version
	 */
	static RunSettings versions(String previousClassPath, Duration duration, long seed, Path directory) {
		Set<FaultKind> faults = EnumSet.of(FaultKind.KILL, FaultKind.SHORT_PAUSE, FaultKind.LONG_PAUSE,
				FaultKind.BLACK_HOLE, FaultKind.ANSWER_LOST, FaultKind.REQUEST_LATE, FaultKind.REQUEST_TWICE,
				FaultKind.DATABASE_PAUSE);
		return new RunSettings(duration, seed, LockKind.OURS, faults, VERSIONS_MEAN_PAUSE, directory,
				previousClassPath);
	}

	/**
	 * Whether a process runs the other version. Nodes alternate, and so do the processes
	 * of a node that is killed: it is upgraded, or rolled back.
	 */
	public boolean isPrevious(Owner owner) {
		return this.previousClassPath != null && (owner.node() + owner.incarnation()) % 2 == 0;
	}

	public boolean isProof() {
		return this.kind.isBroken();
	}

}
