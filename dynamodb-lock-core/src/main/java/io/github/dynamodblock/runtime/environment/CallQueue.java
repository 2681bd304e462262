/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.StoreCalls.Priority;
import io.github.dynamodblock.runtime.environment.StoreCalls.Source;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a bounded number of calls at a time, each on the thread that its sender names.
 * The others wait for a slot, and those that are due first go first. Calls of less
 * important kinds occupy a share of the slots at most, so that they cannot keep the
 * others from being sent, even if they hang. Thread-safe.
 */
public final class CallQueue {

	private static final Logger logger = LoggerFactory.getLogger(CallQueue.class);

	private final BiConsumer<Step.Call, Consumer<Answer>> store;

	/** The slots of each {@link StoreCalls.Share}. */
	private final int[] slots;

	/** Guards the three fields below; nothing is called while it is held. */
	private final ReentrantLock lock = new ReentrantLock();

	/** The calls of each share. */
	private final List<PriorityQueue<Entry>> waiting = List.of(new PriorityQueue<>(), new PriorityQueue<>(),
			new PriorityQueue<>());

	private long arrivals;

	/** How many slots are occupied by calls of each share, and of those after it. */
	private final int[] occupied = new int[3];

	/** The changes of the queue that the thread that sends has not seen. */
	private final AtomicInteger changes = new AtomicInteger();

	/**
	 * Creates a queue.
	 * @param store sends a call, and gives its answer to the consumer
	 * @param slots how many calls are under way at a time
	 * @param some how many of them are of the last {@link StoreCalls.Share}; half of the
	 * other slots are for the first one alone
	 */
	public CallQueue(BiConsumer<Step.Call, Consumer<Answer>> store, int slots, int some) {
		this.store = store;
		this.slots = new int[] { slots, slots - (slots - some + 1) / 2, some };
	}

	/**
	 * Returns this queue for calls that are made on a thread, by their own priority.
	 * @param thread runs a call, which blocks it until the answer
	 */
	public StoreCalls on(Executor thread) {
		return (source, answered) -> send(source, source::priority, thread, answered);
	}

	/**
	 * Returns this queue for calls of one priority, first in, first out.
	 * @param thread runs a call, which blocks it until the answer
	 */
	public StoreCalls on(Executor thread, Priority priority) {
		return (source, answered) -> send(source, () -> priority, thread, answered);
	}

	private void send(Source source, Supplier<Priority> priority, Executor thread, Consumer<Answer> answered) {
		Entry entry = new Entry(source, priority, thread, answered);
		this.lock.lock();
		try {
			entry.arrival = this.arrivals++;
			queue(entry).add(entry);
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
				if (!fellBack(next)) {
					next.begin();
				}
			}
			seen = this.changes.addAndGet(-seen);
		}
		while (seen != 0);
	}

	private @Nullable Entry next() {
		this.lock.lock();
		try {
			Entry first = first();
			if (first == null) {
				return null;
			}
			queue(first).remove();
			occupy(first, 1);
			return first;
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable Entry first() {
		Entry first = null;
		// The shares are nested: one that is occupied leaves no slot to those after it.
		for (int share = 0; share < this.slots.length && this.occupied[share] < this.slots[share]; share++) {
			Entry next = this.waiting.get(share).peek();
			if (next != null && (first == null || next.compareTo(first) < 0)) {
				first = next;
			}
		}
		return first;
	}

	private PriorityQueue<Entry> queue(Entry entry) {
		return this.waiting.get(entry.priority.share().number);
	}

	/** Gives the slot of a call that is less urgent by now to those before it. */
	private boolean fellBack(Entry entry) {
		Priority present = entry.present.get();
		if (present.dueBy() <= entry.priority.dueBy()) {
			return false;
		}
		this.lock.lock();
		try {
			occupy(entry, -1);
			entry.priority = present;
			return queue(entry).add(entry);
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
		for (int share = entry.priority.share().number; share >= 0; share--) {
			this.occupied[share] += change;
		}
	}

	/**
	 * A call that waits for its slot or occupies it.
	 */
	private final class Entry implements Comparable<Entry> {

		private final Source source;

		private final Supplier<Priority> present;

		private final Executor thread;

		private final Consumer<Answer> answered;

		private Priority priority;

		private long arrival;

		/** Whether it has left its slot. */
		private final AtomicBoolean left = new AtomicBoolean();

		Entry(Source source, Supplier<Priority> present, Executor thread, Consumer<Answer> answered) {
			this.source = source;
			this.present = present;
			this.priority = present.get();
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

		@Override
		public int compareTo(Entry other) {
			int byTime = Long.compare(this.priority.dueBy(), other.priority.dueBy());
			return (byTime != 0) ? byTime : Long.compare(this.arrival, other.arrival);
		}

	}

}
