/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.time.Instant;

import io.github.dynamodblock.samples.leaderelection.ledger.Line;

/**
 * A line in the ledger. The numbers give the order in which lines of all nodes came, the
 * times come of one clock.
 *
 * @param number the line's number, from 1
 * @param time when it came
 * @param line what the node wrote
 * @param accepted whether the ledger took it; {@code false} if it came with a token that
 * is smaller than one before
 */
record Entry(int number, Instant time, Line line, boolean accepted) {

	String node() {
		return this.line.node();
	}

	long token() {
		return this.line.token();
	}

	boolean is(Line.What what) {
		return this.line.what() == what;
	}

	/** Whether a leader did something, and nothing had overtaken it. */
	boolean isDoneWork() {
		return is(Line.What.WORK) && this.accepted;
	}

}
