/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.StoreCalls.Priority;
import io.github.dynamodblock.runtime.environment.StoreCalls.Rank;
import io.github.dynamodblock.runtime.environment.StoreCalls.Source;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a bounded number of calls at a time, each on the thread that its sender names.
 * The others wait for a slot in the order of their priority. Calls of the last rank
 * occupy some of the slots at most, so that they cannot keep the others from being sent.
 * Thread-safe.
 */
public final class CallQueue {

	private static final Logger logger = LoggerFactory.getLogger(CallQueue.class);

	private static final Priority BEHIND_OTHERS = new Priority(Rank.LAST, Long.MIN_VALUE);

	private final BiConsumer<Step.Call, Consumer<Answer>> store;

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
	 * @param store sends a call, and gives its answer to the consumer
	 * @param slots how many calls are under way at a time
	 * @param slotsForLast how many of them may be of the last rank
	 */
	public CallQueue(BiConsumer<Step.Call, Consumer<Answer>> store, int slots, int slotsForLast) {
		this.store = store;
		this.slots = slots;
		this.slotsForLast = slotsForLast;
	}

	/**
	 * Returns this queue for calls that are made on a thread, by their own priority.
	 * @param thread runs a call, which blocks it until the answer
	 */
	public StoreCalls on(Executor thread) {
		return (source, answered) -> send(source, source.priority(), thread, answered);
	}

	/**
	 * Returns this queue for calls of the last rank, first in, first out.
	 * @param thread runs a call, which blocks it until the answer
	 */
	public StoreCalls behindOthers(Executor thread) {
		return (source, answered) -> send(source, BEHIND_OTHERS, thread, answered);
	}

	private void send(Source source, Priority priority, Executor thread, Consumer<Answer> answered) {
		this.lock.lock();
		try {
			this.waiting.add(new Entry(source, priority, this.arrivals++, thread, answered));
		}
		finally {
			this.lock.unlock();
		}
		sendWaiting();
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
				next.begin();
			}
			seen = this.changes.addAndGet(-seen);
		}
		while (seen != 0);
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
	private final class Entry implements Comparable<Entry> {

		private final Source source;

		private final Priority priority;

		private final long arrival;

		private final Executor thread;

		private final Consumer<Answer> answered;

		/** Whether it has left its slot. */
		private final AtomicBoolean left = new AtomicBoolean();

		Entry(Source source, Priority priority, long arrival, Executor thread, Consumer<Answer> answered) {
			this.source = source;
			this.priority = priority;
			this.arrival = arrival;
			this.thread = thread;
			this.answered = answered;
		}

		void begin() {
			try {
				this.thread.execute(this::call);
			}
			catch (RejectedExecutionException ex) {
				refused(new IllegalStateException("the lock client is closed", ex));
			}
			catch (Throwable ex) {
				// No thread could be made; the next attempt may have one.
				refused(ex);
			}
		}

		/** Whatever follows from that, the calls behind this one must be sent. */
		private void refused(Throwable cause) {
			Callbacks.runCompletely(() -> answered(new Answer.Unknown(cause)));
		}

		private void call() {
			try {
				Step.Call call = this.source.next();
				if (call != null) {
					CallQueue.this.store.accept(call, this::answered);
				}
				else if (this.left.compareAndSet(false, true)) {
					leave(this);
				}
			}
			catch (Throwable ex) {
				answered(new Answer.Unknown(ex));
				// A pool would end its thread without a report.
				logger.error("A call of the lock client failed unexpectedly: please report this", ex);
			}
		}

		private void answered(Answer answer) {
			if (this.left.compareAndSet(false, true)) {
				// In this order: the consumer may take long.
				leave(this);
				this.answered.accept(answer);
			}
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
