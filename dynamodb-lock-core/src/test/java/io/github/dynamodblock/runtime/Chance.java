/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Every choice of a simulated run. The same seed gives the same choices.
 */
final class Chance {

	private final SplittableRandom random;

	Chance(long seed) {
		this(new SplittableRandom(seed));
	}

	private Chance(SplittableRandom random) {
		this.random = random;
	}

	/** Choices of its own for a part of the run. */
	Chance split() {
		return new Chance(this.random.split());
	}

	boolean in(double probability) {
		return this.random.nextDouble() < probability;
	}

	/** A number from zero (included) to one (excluded). */
	double fraction() {
		return this.random.nextDouble();
	}

	/** A whole number from one to another, both included. */
	int between(int least, int most) {
		return this.random.nextInt(least, most + 1);
	}

	/** Nanoseconds between two times in milliseconds. */
	long nanos(long leastMillis, long mostMillis) {
		return this.random.nextLong(leastMillis * 1_000_000, mostMillis * 1_000_000 + 1);
	}

	Duration millis(int least, int most) {
		return Duration.ofMillis(between(least, most));
	}

	@SafeVarargs
	final <T> T of(T... some) {
		return some[this.random.nextInt(some.length)];
	}

	<T> T of(List<T> some) {
		return some.get(this.random.nextInt(some.size()));
	}

}
