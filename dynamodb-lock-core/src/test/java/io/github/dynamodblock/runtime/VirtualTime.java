/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;

import io.github.dynamodblock.runtime.environment.Timer;

/**
 * Time that passes only when a test says so, for any number of clients in one thread.
 */
final class VirtualTime {

	/** Far more than any test needs, so that something goes round in a circle. */
	private static final long MOST_EVENTS = 10_000_000;

	private final Instant start = Instant.parse("2026-01-01T00:00:00Z");

	private final NavigableSet<Due> due = new TreeSet<>();

	private long nanos;

	private long order;

	private boolean eager;

	long nanos() {
		return this.nanos;
	}

	Instant wallClock() {
		return this.start.plusNanos(this.nanos);
	}

	/**
	 * From now on a timer is as fast as a timer can be: what is due at once runs at once.
	 */
	void runDueTasksAtOnce() {
		this.eager = true;
	}

	Timer.Task at(long delayNanos, Runnable action) {
		if (this.eager && delayNanos <= 0) {
			action.run();
			return () -> {
			};
		}
		long time = (delayNanos > Long.MAX_VALUE - this.nanos) ? Long.MAX_VALUE : this.nanos + Math.max(0, delayNanos);
		Due task = new Due(time, this.order++, action);
		this.due.add(task);
		return () -> this.due.remove(task);
	}

	/** Lets time pass, doing what comes due on the way, in order. */
	void pass(Duration duration) {
		long until = this.nanos + duration.toNanos();
		for (long events = 0; !this.due.isEmpty() && this.due.first().time <= until; events++) {
			if (events == MOST_EVENTS) {
				throw new IllegalStateException("what happens does not end within " + duration);
			}
			Due next = Objects.requireNonNull(this.due.pollFirst());
			this.nanos = next.time;
			next.action.run();
		}
		this.nanos = until;
	}

	/** How much is yet to come due. */
	int pending() {
		return this.due.size();
	}

	private record Due(long time, long order, Runnable action) implements Comparable<Due> {

		@Override
		public int compareTo(Due other) {
			return (this.time != other.time) ? Long.compare(this.time, other.time)
					: Long.compare(this.order, other.order);
		}

	}

}
