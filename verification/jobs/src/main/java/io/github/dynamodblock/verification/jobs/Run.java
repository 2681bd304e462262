/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.time.Instant;
import java.util.Comparator;

import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Times;

/**
 * One run of a job's body, as its node reported it. All nodes use one machine's clock for
 * what they report.
 *
 * @param job the job
 * @param node the node
 * @param tick the tick
 * @param attempt the attempt; 0 without the lock
 * @param rerun whether the node knew that the tick was started before
 * @param bean the number of the bean that was called
 * @param begin the first statement of the body
 * @param end the last one; the latest time that exists while the body runs
 * @param how how the body ended
 */
record Run(String job, String node, Instant tick, int attempt, boolean rerun, long bean, Instant begin, Instant end,
		End how) {

	static final Comparator<Run> BY_BEGIN = Comparator.comparing(Run::begin);

	/** Creates a run that has begun. */
	static Run begin(Event event) {
		return new Run(event.subject(), event.node(), Instant.ofEpochMilli(event.number(0)), (int) event.number(1),
				event.number(2) == 1, event.number(3), event.time(), Instant.MAX, End.NONE);
	}

	Run end(Instant time, End kind) {
		return new Run(this.job, this.node, this.tick, this.attempt, this.rerun, this.bean, this.begin, time, kind);
	}

	/** Returns whether an event, which ends a body, is about this run. */
	boolean isEndedBy(Event event) {
		Run other = begin(event);
		return this.how == End.NONE && this.job.equals(other.job) && this.node.equals(other.node)
				&& this.tick.equals(other.tick) && this.attempt == other.attempt && this.bean == other.bean;
	}

	boolean is(End kind) {
		return this.how == kind;
	}

	/** Returns whether this run repeats one of a node with the other version. */
	boolean repeatsOnTheOtherVersion(Run cut) {
		return this.job.equals(cut.job) && this.tick.equals(cut.tick) && cut.begin.isBefore(this.begin)
				&& Nodes.isPrevious(this.node) != Nodes.isPrevious(cut.node);
	}

	/** Returns whether the lock may have been held at a time, by any node's clock. */
	boolean mayHold(Instant time) {
		return this.begin.minusSeconds(1).isBefore(time) && this.end.plusSeconds(1).isAfter(time);
	}

	/** Returns whether the body was running at a time. */
	boolean covers(Instant time) {
		return this.begin.isBefore(time) && this.end.isAfter(time);
	}

	@Override
	public String toString() {
		return "attempt " + this.attempt + " of " + this.job + "'s tick " + Times.timeOfDay(this.tick) + " on "
				+ this.node + " at " + Times.timeOfDay(this.begin) + " (" + this.how + ")";
	}

	/** How a body ends. */
	enum End {

		/** It still runs. */
		NONE("still running"),

		/** It returned. */
		ENDED("ended"),

		/** Its node interrupted it. */
		INTERRUPTED("interrupted"),

		/** Its node was killed. */
		KILLED("killed");

		private final String text;

		End(String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

}
