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
import java.util.stream.Stream;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a bounded number of calls at a time, each on the thread that its sender chooses.
 * The others wait for a <em>call slot</em>, and the call that is due first goes first.
 * Each {@link CallKind} has a limit, so it cannot block more important kinds even if its
 * calls hang. Thread-safe.
 */
public final class CallQueue {

	private static final Logger logger = LoggerFactory.getLogger(CallQueue.class);

	private final BiConsumer<Step.Call, Consumer<Answer>> store;

	private final List<CallKind> kinds;

	/**
	 * For each kind, how many calls of it and of the kinds after it may be in progress.
	 */
	private final int[] limits;

	/** Guards the three fields below; nothing is called while it is held. */
	private final ReentrantLock lock = new ReentrantLock();

	private final List<PriorityQueue<Entry>> waiting;

	private long arrivals;

	/** For each kind, how many calls of it and of the kinds after it are in progress. */
	private final int[] occupied;

	/** The number of changes that the sending thread has not seen yet. */
	private final AtomicInteger changes = new AtomicInteger();

	private CallQueue(BiConsumer<Step.Call, Consumer<Answer>> store, int slots, CallKind... kinds) {
		this.store = store;
		this.kinds = List.of(kinds);
		this.limits = Stream.of(kinds).mapToInt((kind) -> kind.limit(slots)).toArray();
		this.waiting = Stream.of(kinds).map((kind) -> new PriorityQueue<Entry>()).toList();
		this.occupied = new int[kinds.length];
	}

	/**
	 * Creates the queue of heartbeats.
	 * @param store sends a call, and gives its answer to the consumer
	 * @param slots how many calls may be in progress at a time
	 */
	public static CallQueue ofHeartbeats(BiConsumer<Step.Call, Consumer<Answer>> store, int slots) {
		return new CallQueue(store, slots, CallKind.HEARTBEAT, CallKind.HUNG_HEARTBEAT);
	}

	/** Creates the queue of other calls, with the same parameters. */
	public static CallQueue ofCalls(BiConsumer<Step.Call, Consumer<Answer>> store, int slots) {
		return new CallQueue(store, slots, CallKind.RELEASE, CallKind.HOLDER, CallKind.READ, CallKind.ACQUIRE);
	}

	/**
	 * Sends a call as soon as a call slot is free.
	 * @param call one of the queue's kinds
	 * @param thread makes the call, and is blocked until the answer
	 */
	public void send(StoreCall call, Executor thread) {
		send(call, call.priority(), thread);
	}

	void send(StoreCall call, StoreCall.Priority priority, Executor thread) {
		Entry entry = new Entry(call, priority, thread);
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

	/** Only one thread at a time sends, even if the end of one call sends the next. */
	private void sendWaiting() {
		if (this.changes.getAndIncrement() == 0) {
			// A callback that blocks must not keep other threads from sending.
			try (Callbacks.Work work = Callbacks.deferred()) {
				sendAll();
			}
		}
	}

	private void sendAll() {
		int seen = 1;
		do {
			for (Entry next = next(); next != null; next = next()) {
				if (!gaveWay(next)) {
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
		// The limits are nested: once a kind has reached its limit, no later kind has a
		// call slot.
		for (int kind = 0; kind < this.kinds.size() && this.occupied[kind] < this.limits[kind]; kind++) {
			Entry next = this.waiting.get(kind).peek();
			if (next != null && (first == null || next.compareTo(first) < 0)) {
				first = next;
			}
		}
		return first;
	}

	private PriorityQueue<Entry> queue(Entry entry) {
		return this.waiting.get(index(entry));
	}

	private int index(Entry entry) {
		return this.kinds.indexOf(entry.priority.kind());
	}

	/** Frees the call slot of a call that was withdrawn or has become less urgent. */
	private boolean gaveWay(Entry entry) {
		boolean withdrawn = entry.call.isWithdrawn();
		StoreCall.Priority present = entry.call.priority();
		if (!withdrawn && present.dueBy() <= entry.priority.dueBy()) {
			return false;
		}
		this.lock.lock();
		try {
			occupy(entry, -1);
			entry.priority = present;
			return withdrawn || queue(entry).add(entry);
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
		for (int kind = index(entry); kind >= 0; kind--) {
			this.occupied[kind] += change;
		}
	}

	/** A call that waits for its call slot or occupies it. */
	private final class Entry implements Comparable<Entry> {

		private final StoreCall call;

		private final Executor thread;

		private StoreCall.Priority priority;

		private long arrival;

		/** Whether it has left its call slot. */
		private final AtomicBoolean left = new AtomicBoolean();

		Entry(StoreCall call, StoreCall.Priority priority, Executor thread) {
			this.call = call;
			this.priority = priority;
			this.thread = thread;
		}

		void begin() {
			try {
				this.thread.execute(this::call);
			}
			catch (RejectedExecutionException ex) {
				refused(new IllegalStateException("the lock client is closed", ex));
			}
			catch (Throwable ex) {
				// No thread could be created; the next attempt may get one.
				refused(ex);
			}
		}

		/** Whatever the answer causes, the calls behind this one must be sent. */
		private void refused(Throwable cause) {
			Callbacks.runCompletely(() -> answered(new Answer.Unknown(cause)));
		}

		private void call() {
			try {
				Step.Call call = this.call.next();
				if (call != null) {
					CallQueue.this.store.accept(call, this::answered);
				}
				else if (this.left.compareAndSet(false, true)) {
					leave(this);
				}
			}
			catch (Throwable ex) {
				answered(new Answer.Unknown(ex));
				// Otherwise, a pool would end its thread without a report.
				logger.error("A call of the lock client failed unexpectedly: please report this", ex);
			}
		}

		private void answered(Answer answer) {
			if (this.left.compareAndSet(false, true)) {
				// In this order, because the consumer may take long.
				leave(this);
				this.call.answered(answer);
			}
		}

		@Override
		public int compareTo(Entry other) {
			int byTime = Long.compare(this.priority.dueBy(), other.priority.dueBy());
			int byKind = this.priority.kind().compareTo(other.priority.kind());
			return (byTime != 0) ? byTime : ((byKind != 0) ? byKind : Long.compare(this.arrival, other.arrival));
		}

	}

}
