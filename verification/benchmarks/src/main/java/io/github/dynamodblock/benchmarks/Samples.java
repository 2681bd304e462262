/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * Measured values. Thread-safe.
 */
final class Samples {

	private DoubleStream.Builder values = DoubleStream.builder();

	private int size;

	synchronized void add(double value) {
		this.values.add(value);
		this.size++;
	}

	synchronized int size() {
		return this.size;
	}

	/**
	 * The value that a share of all values does not exceed.
	 * @param share from 0, the least value, to 1, the greatest
	 * @return the value
	 * @throws IllegalStateException if there is no value
	 */
	double quantile(double share) {
		double[] sorted = sorted();
		if (sorted.length == 0) {
			throw new IllegalStateException("Nothing was measured: the benchmark was too short");
		}
		double place = share * (sorted.length - 1);
		int below = (int) place;
		int above = Math.min(below + 1, sorted.length - 1);
		return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
	}

	double least() {
		return quantile(0);
	}

	double median() {
		return quantile(0.5);
	}

	double greatest() {
		return quantile(1);
	}

	private synchronized double[] sorted() {
		double[] all = this.values.build().toArray();
		this.values = DoubleStream.builder();
		Arrays.stream(all).forEach(this.values);
		Arrays.sort(all);
		return all;
	}

}
