/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * Sends a bounded number of calls at a time. The others wait for a slot in the order of
 * their priority. Calls of the last rank occupy some of the slots at most, so that they
 * cannot keep the others from being sent. Thread-safe.
 */
public final class CallQueue implements StoreCalls {

	private static final Priority BEHIND_OTHERS = new Priority(Rank.LAST, Long.MIN_VALUE);

	private final StoreCalls calls;

	private final int slots;

	private final int slotsForLast;

	/** Guards the four fields below; nothing is called while it is held. */
	private final ReentrantLock lock = new ReentrantLock();

	private final PriorityQueue<Entry> waiting = new PriorityQueue<>();

	private long arrivals;

	private int occupied;

	private int occupiedByLast;

	/** The changes of the queue that the thread that sends has not seen. */
	private final AtomicInteger changes = new AtomicInteger();

	/**
	 * Creates a queue.
	 * @param calls sends a call
	 * @param slots how many calls are under way at a time
	 * @param slotsForLast how many of them may be of the last rank
	 */
	public CallQueue(StoreCalls calls, int slots, int slotsForLast) {
		this.calls = calls;
		this.slots = slots;
		this.slotsForLast = slotsForLast;
	}

	@Override
	public void send(Source source, Consumer<Answer> answered) {
		this.lock.lock();
		try {
			this.waiting.add(new Entry(source, answered, source.priority(), this.arrivals++));
		}
		finally {
			this.lock.unlock();
		}
		sendWaiting();
	}

	/**
	 * Returns this queue for calls of the last rank, first in, first out.
	 * @return the queue
	 */
	public StoreCalls behindOthers() {
		return (source, answered) -> send(new Source() {

			@Override
			public Step.@Nullable Call next() {
				return source.next();
			}

			@Override
			public Priority priority() {
				return BEHIND_OTHERS;
			}

		}, answered);
	}

	/** One thread at a time sends, however deep the calls end within each other. */
	private void sendWaiting() {
		if (this.changes.getAndIncrement() == 0) {
			// A callback that blocks must not keep other threads from sending.
			Callbacks.deferredDuring(this::sendAll);
		}
	}

	private void sendAll() {
		int seen = 1;
		do {
			for (Entry next = next(); next != null; next = next()) {
				begin(next);
			}
			seen = this.changes.addAndGet(-seen);
		}
		while (seen != 0);
	}

	private void begin(Entry entry) {
		try {
			this.calls.send(entry, entry::answered);
		}
		catch (Throwable ex) {
			// The calls behind this one must be sent.
			entry.failed(ex);
		}
	}

	private @Nullable Entry next() {
		this.lock.lock();
		try {
			Entry first = this.waiting.peek();
			if (first == null || this.occupied >= this.slots
					|| (first.isLast() && this.occupiedByLast >= this.slotsForLast)) {
				return null;
			}
			this.waiting.remove();
			occupy(first, 1);
			return first;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void leave(Entry entry) {
		this.lock.lock();
		try {
			occupy(entry, -1);
		}
		finally {
			this.lock.unlock();
		}
		sendWaiting();
	}

	private void occupy(Entry entry, int change) {
		this.occupied += change;
		this.occupiedByLast += entry.isLast() ? change : 0;
	}

	/**
	 * A call that waits for its slot or occupies it.
	 */
	private final class Entry implements Source, Comparable<Entry> {

		private final Source source;

		private final Consumer<Answer> answered;

		private final Priority priority;

		private final long arrival;

		/** Whether it has left its slot with an answer. */
		private final AtomicBoolean isAnswered = new AtomicBoolean();

		Entry(Source source, Consumer<Answer> answered, Priority priority, long arrival) {
			this.source = source;
			this.answered = answered;
			this.priority = priority;
			this.arrival = arrival;
		}

		@Override
		public Step.@Nullable Call next() {
			Step.Call call = null;
			try {
				call = this.source.next();
			}
			finally {
				if (call == null) {
					leave(this);
				}
			}
			return call;
		}

		private void answered(Answer answer) {
			if (this.isAnswered.compareAndSet(false, true)) {
				// In this order: the consumer may take long.
				leave(this);
				this.answered.accept(answer);
			}
		}

		/** The call could not be sent; or it was answered, and its consumer failed. */
		private void failed(Throwable problem) {
			Throwable unexpected = problem;
			if (!this.isAnswered.get()) {
				try {
					answered(new Answer.Unknown(problem));
					return;
				}
				catch (Throwable ex) {
					unexpected = ex;
				}
			}
			Callbacks.report(unexpected);
		}

		private boolean isLast() {
			return this.priority.rank() == Rank.LAST;
		}

		@Override
		public int compareTo(Entry other) {
			int byPriority = this.priority.compareTo(other.priority);
			return (byPriority != 0) ? byPriority : Long.compare(this.arrival, other.arrival);
		}

	}

}
