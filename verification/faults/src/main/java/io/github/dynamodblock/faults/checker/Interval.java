/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

/**
 * A time in which something happened or went on.
 *
 * @param from its start
 * @param to its end
 */
public record Interval(long from, long to) {

	boolean meets(long from, long to) {
		return this.from <= to && from <= this.to;
	}

	boolean contains(long time) {
		return this.from <= time && time <= this.to;
	}

}
