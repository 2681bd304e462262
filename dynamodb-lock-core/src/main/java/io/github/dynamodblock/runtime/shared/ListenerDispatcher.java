/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.shared;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.runtime.environment.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the listeners of a client and of its requests. Each client listener has a
 * backlog, and all request listeners of one class share one. A listener that blocks
 * therefore delays only itself, or the request listeners of its class. Thread-safe.
 */
public final class ListenerDispatcher {

	private static final Logger logger = LoggerFactory.getLogger(ListenerDispatcher.class);

	/** How many callbacks of one backlog run at a time. */
	private static final int CONCURRENCY = 8;

	/** How many events may wait before some are dropped. */
	public static final int CAPACITY = 10_000;

	private final Executor threads;

	private final LockLog log;

	private final List<Subscriber> ofClient;

	/** Guards the next field. */
	private final Lock lock;

	/**
	 * Weak, so it pins neither a class nor its loader. The acquisitions, locks and
	 * callbacks that use a backlog keep it.
	 */
	private final Map<Class<?>, WeakReference<Backlog>> ofRequests = new WeakHashMap<>();

	public ListenerDispatcher(List<LockListener> listeners, Environment environment, LockLog log) {
		this.threads = environment.listeners();
		this.lock = environment.lock();
		this.log = log;
		this.ofClient = listeners.stream().map((each) -> new Subscriber(each, new Backlog(each))).toList();
	}

	/** Returns the notifications of one acquisition and its lock. */
	public Notifications about(LockRequest request) {
		List<Queue> queues = new ArrayList<>();
		this.ofClient.forEach((each) -> queues.add(new Queue(request.key(), each)));
		request.listeners()
			.forEach((each) -> queues.add(new Queue(request.key(), new Subscriber(each, ofRequests(each)))));
		return new Notifications(List.copyOf(queues));
	}

	private Backlog ofRequests(LockListener listener) {
		this.lock.lock();
		try {
			WeakReference<Backlog> known = this.ofRequests.get(listener.getClass());
			Backlog backlog = (known != null) ? known.get() : null;
			if (backlog == null) {
				backlog = new Backlog(listener);
				this.ofRequests.put(listener.getClass(), new WeakReference<>(backlog));
			}
			return backlog;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Drops the waiting events, because the client is closed and listeners block. */
	public void abandon() {
		List<WeakReference<Backlog>> used;
		this.lock.lock();
		try {
			used = List.copyOf(this.ofRequests.values());
		}
		finally {
			this.lock.unlock();
		}
		Stream
			.concat(this.ofClient.stream().map(Subscriber::backlog),
					used.stream().map(WeakReference::get).filter(Objects::nonNull))
			.forEach(Backlog::abandon);
	}

	private record Subscriber(LockListener listener, Backlog backlog) {
	}

	/**
	 * The events that wait for a listener, or for a class of listeners. Once it is full,
	 * and until it is half empty, it drops heartbeats and acquisitions that begin. Apart
	 * from heartbeats, either all events of an acquisition and its lock are reported, or
	 * none.
	 */
	private final class Backlog {

		private final String listener;

		private final Executor executor = new BoundedExecutor(ListenerDispatcher.this.threads, CONCURRENCY);

		private final AtomicInteger waiting = new AtomicInteger();

		private final AtomicInteger dropped = new AtomicInteger();

		private final AtomicBoolean full = new AtomicBoolean();

		private volatile boolean abandoned;

		Backlog(LockListener listener) {
			this.listener = listener.getClass().getName();
		}

		boolean isFull() {
			return this.full.get();
		}

		void add() {
			if (this.waiting.incrementAndGet() >= CAPACITY && this.full.compareAndSet(false, true)) {
				ListenerDispatcher.this.log.listenerTooSlow(this.listener, CAPACITY);
			}
		}

		void drop() {
			this.dropped.incrementAndGet();
		}

		/** Removes an event, and returns whether to deliver it. */
		boolean take() {
			if (this.waiting.decrementAndGet() <= CAPACITY / 2 && this.full.compareAndSet(true, false)) {
				ListenerDispatcher.this.log.listenerCaughtUp(this.listener, this.dropped.getAndSet(0));
			}
			return !this.abandoned;
		}

		void abandon() {
			int left = this.waiting.get();
			if (left > 0) {
				this.abandoned = true;
				ListenerDispatcher.this.log.abandoned(this.listener, left + this.dropped.get());
			}
		}

	}

	/**
	 * Notifies listeners of one acquisition and its lock, each listener in the order of
	 * events. Never blocks. Thread-safe.
	 */
	public static final class Notifications {

		private final List<Queue> queues;

		private Notifications(List<Queue> queues) {
			this.queues = queues;
		}

		public void send(Consumer<LockListener> event) {
			this.queues.forEach((queue) -> queue.add(event));
		}

		/** Sends an event that slow listeners need not receive, such as a heartbeat. */
		public void sendRecurring(Consumer<LockListener> event) {
			this.queues.forEach((queue) -> queue.addUnlessFull(event));
		}

	}

	/**
	 * The events of one acquisition for one listener.
	 */
	private static final class Queue {

		private final LockKey key;

		private final LockListener listener;

		private final Backlog backlog;

		/** Whether all events of this acquisition are dropped. */
		private final boolean dropped;

		private final TaskQueue tasks;

		Queue(LockKey key, Subscriber subscriber) {
			this.key = key;
			this.listener = subscriber.listener();
			this.backlog = subscriber.backlog();
			this.dropped = this.backlog.isFull();
			this.tasks = new TaskQueue(this.backlog.executor, (event, refusal) -> {
				this.backlog.take();
				logger.error("The executor refused to notify a listener of lock '{}': {}", key, this.listener, refusal);
			});
		}

		void addUnlessFull(Consumer<LockListener> event) {
			if (this.backlog.isFull()) {
				this.backlog.drop();
			}
			else {
				add(event);
			}
		}

		void add(Consumer<LockListener> event) {
			if (this.dropped) {
				this.backlog.drop();
			}
			else {
				this.backlog.add();
				this.tasks.add(() -> deliver(event));
			}
		}

		private void deliver(Consumer<LockListener> event) {
			if (!this.backlog.take()) {
				return;
			}
			try {
				event.accept(this.listener);
			}
			catch (Throwable ex) {
				// What a listener throws must not affect the lock or other listeners.
				logger.error("A listener of lock '{}' failed: {}", this.key, this.listener, ex);
			}
		}

	}

}
