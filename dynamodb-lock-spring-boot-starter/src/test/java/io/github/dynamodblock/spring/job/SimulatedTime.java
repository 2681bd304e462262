/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.PriorityQueue;

import io.github.dynamodblock.runtime.environment.Timer;

/**
 * Time that passes from event to event, in one thread.
 */
final class SimulatedTime {

	static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private long nanos;

	private long sequence;

	long nanos() {
		return this.nanos;
	}

	Instant now() {
		return BEGIN.plusNanos(this.nanos);
	}

	Timer.Task at(long delayNanos, Runnable action) {
		long delay = Math.max(0, Math.min(delayNanos, Long.MAX_VALUE - this.nanos));
		Event event = new Event(this.nanos + delay, this.sequence++, action);
		this.events.add(event);
		return event;
	}

	void pass(Duration duration) {
		long until = this.nanos + duration.toNanos();
		while (!this.events.isEmpty() && this.events.peek().at <= until) {
			Event event = Objects.requireNonNull(this.events.poll());
			this.nanos = event.at;
			if (!event.cancelled) {
				event.action.run();
			}
		}
		this.nanos = until;
	}

	private static final class Event implements Timer.Task, Comparable<Event> {

		private final long at;

		private final long order;

		private final Runnable action;

		private boolean cancelled;

		Event(long at, long order, Runnable action) {
			this.at = at;
			this.order = order;
			this.action = action;
		}

		@Override
		public void cancel() {
			this.cancelled = true;
		}

		@Override
		public int compareTo(Event other) {
			return (this.at != other.at) ? Long.compare(this.at, other.at) : Long.compare(this.order, other.order);
		}

	}

}
