/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

import org.jspecify.annotations.Nullable;

/**
 * Events that wait for their listeners, a bounded number. Losses are served first, after
 * earlier events of the same lock; all else is first in, first out. When it is full, a
 * loss replaces the oldest event of another kind, and any other event is dropped.
 * Thread-safe.
 */
final class LockEventQueue {

	private final int capacity;

	private final Deque<LockEvent> losses = new ArrayDeque<>();

	private final Deque<LockEvent> others = new ArrayDeque<>();

	private long dropped;

	LockEventQueue(int capacity) {
		this.capacity = capacity;
	}

	/**
	 * Adds an event.
	 * @param event the event
	 * @return whether it is the first event since the queue was empty that made one drop
	 */
	synchronized boolean add(LockEvent event) {
		boolean full = this.losses.size() + this.others.size() >= this.capacity;
		if (event instanceof LockLostEvent) {
			if (full && this.others.pollFirst() == null) {
				this.losses.pollFirst();
			}
			moveEarlier(event);
			this.losses.addLast(event);
		}
		else if (!full) {
			this.others.addLast(event);
		}
		return full && this.dropped++ == 0;
	}

	/** What happened to a lock before it was lost is published before the loss. */
	private void moveEarlier(LockEvent loss) {
		for (Iterator<LockEvent> events = this.others.iterator(); events.hasNext();) {
			LockEvent earlier = events.next();
			if (earlier.lock() == loss.lock()) {
				events.remove();
				this.losses.addLast(earlier);
			}
		}
	}

	/** Takes the next event, or {@code null} if there is none. */
	synchronized @Nullable LockEvent poll() {
		LockEvent loss = this.losses.pollFirst();
		return (loss != null) ? loss : this.others.pollFirst();
	}

	synchronized boolean isEmpty() {
		return this.losses.isEmpty() && this.others.isEmpty();
	}

	/** How many events were dropped since this was asked last, once none waits. */
	synchronized long takeDropped() {
		if (!isEmpty()) {
			return 0;
		}
		long count = this.dropped;
		this.dropped = 0;
		return count;
	}

	synchronized void clear() {
		this.losses.clear();
		this.others.clear();
	}

}
