/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.store.LockStore;
import io.github.dynamodblock.store.PageAnswer;
import io.github.dynamodblock.store.PageRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The environment of a client in production: the machine's clocks, and threads that end
 * when they are idle.
 */
public final class ThreadedEnvironment implements Environment, Randomness {

	private static final Logger logger = LoggerFactory.getLogger(ThreadedEnvironment.class);

	private static final int MOST_THREADS_OF_A_LISTENER = 32;

	/** Half of the connections that an HTTP client of the SDK has by default. */
	public static final int DEFAULT_CONCURRENCY = 25;

	private final SystemClocks clocks = new SystemClocks();

	private final LockStore store;

	private final ScheduledTimer timer;

	private final ScheduledTimer waits;

	private final ScheduledTimer watch;

	private final ExecutorService callThreads;

	private final ExecutorService heartbeatThreads;

	private final ExecutorService listenerThreads;

	private final @Nullable Executor listeners;

	private final StoreCalls calls;

	private final StoreCalls promptCalls;

	private final StoreCalls callsHere;

	private final StoreCalls heartbeats;

	/**
	 * Creates an environment with the default limits.
	 * @param store the lock table
	 * @param threadFactory creates the threads, or {@code null} for named daemon threads
	 * @param listeners calls the listeners, or {@code null} for separate threads
	 */
	public ThreadedEnvironment(LockStore store, @Nullable ThreadFactory threadFactory, @Nullable Executor listeners) {
		this(store, DEFAULT_CONCURRENCY, DEFAULT_CONCURRENCY, threadFactory, listeners);
	}

	/**
	 * Creates an environment.
	 * @param store the lock table
	 * @param heartbeats how many heartbeats are sent at a time
	 * @param calls how many other calls are sent at a time; a fifth of them is reserved
	 * for releases
	 * @param threadFactory creates the threads, or {@code null} for named daemon threads
	 * @param listeners calls the listeners, or {@code null} for separate threads
	 */
	public ThreadedEnvironment(LockStore store, int heartbeats, int calls, @Nullable ThreadFactory threadFactory,
			@Nullable Executor listeners) {
		this.store = store;
		LockThreads threads = new LockThreads(threadFactory);
		this.timer = new ScheduledTimer(threads.timer("timer"));
		this.waits = new ScheduledTimer(threads.timer("wait"));
		this.watch = new ScheduledTimer(threads.timer("watch"));
		this.callThreads = threads.unbounded("call");
		this.heartbeatThreads = threads.unbounded("heartbeat");
		this.listenerThreads = threads.listener();
		this.listeners = listeners;
		CallQueue queue = new CallQueue(new ThreadedStoreCalls(store, this.callThreads), calls,
				Math.max(1, calls - (calls + 4) / 5));
		this.calls = queue.behindOthers();
		this.promptCalls = queue;
		this.callsHere = new ThreadedStoreCalls(store, Runnable::run);
		this.heartbeats = heartbeats(new ThreadedStoreCalls(store, this.heartbeatThreads), heartbeats);
	}

	/**
	 * Sends heartbeats in the order of their leases' deadlines, a bounded number at a
	 * time. Retries of those that hung get half of the slots, so that others are sent.
	 * @param calls sends a call
	 * @param slots how many heartbeats are under way at a time
	 * @return the calls of heartbeats
	 */
	public static StoreCalls heartbeats(StoreCalls calls, int slots) {
		return new CallQueue(calls, slots, Math.max(1, slots / 2));
	}

	@Override
	public ClockReading now() {
		return this.clocks.now();
	}

	@Override
	public Randomness randomness() {
		return this;
	}

	@Override
	public String recordVersionNumber() {
		return UUID.randomUUID().toString();
	}

	@Override
	public double fraction() {
		return ThreadLocalRandom.current().nextDouble();
	}

	@Override
	public Timer timer() {
		return this.timer;
	}

	@Override
	public Timer waits() {
		return this.waits;
	}

	@Override
	public Timer watch() {
		return this.watch;
	}

	@Override
	public StoreCalls calls() {
		return this.calls;
	}

	@Override
	public StoreCalls promptCalls() {
		return this.promptCalls;
	}

	@Override
	public StoreCalls callsOfWaitingCaller() {
		// What follows the first call comes from the timer's thread, which must not
		// block.
		AtomicReference<StoreCalls> next = new AtomicReference<>(this.callsHere);
		return (source, answered) -> Objects.requireNonNull(next.getAndSet(this.promptCalls)).send(source, answered);
	}

	@Override
	public StoreCalls heartbeats() {
		return this.heartbeats;
	}

	@Override
	public CompletableFuture<PageAnswer> list(PageRequest request, long limitNanos) {
		CompletableFuture<PageAnswer> answer = new CompletableFuture<>();
		try {
			this.callThreads.execute(() -> answer.complete(page(request, limitNanos)));
		}
		catch (Throwable ex) {
			// The client is closed, or no thread could be created.
			answer.complete(notListed(ex));
		}
		return answer;
	}

	private PageAnswer page(PageRequest request, long limitNanos) {
		try {
			return this.store.list(request, limitNanos);
		}
		catch (Throwable ex) {
			// A defect must not leave the caller waiting.
			return notListed(ex);
		}
	}

	private static PageAnswer notListed(Throwable cause) {
		return new PageAnswer.Failed(new LockStoreException("Locks could not be listed: " + cause, cause));
	}

	@Override
	public Optional<ServiceTime> serviceTime() {
		return this.store.serviceTime();
	}

	@Override
	public Executor listeners() {
		return (this.listeners != null) ? this.listeners
				: new BoundedExecutor(this.listenerThreads, MOST_THREADS_OF_A_LISTENER);
	}

	@Override
	public void close(Duration timeout) {
		List<ExecutorService> all = List.of(this.timer.executor(), this.waits.executor(), this.watch.executor(),
				this.callThreads, this.heartbeatThreads, this.listenerThreads);
		// Listeners are still notified of losses; nothing else is left to do.
		all.forEach(ExecutorService::shutdown);
		all.subList(0, 3).forEach(ExecutorService::shutdownNow);
		long begin = System.nanoTime();
		boolean interrupted = Thread.interrupted();
		// Half of the time to end, and the other half to end after an interrupt.
		boolean uninterrupted = ended(all, begin + timeout.toNanos() / 2);
		all.forEach(ExecutorService::shutdownNow);
		uninterrupted &= ended(all, begin + timeout.toNanos());
		all.stream()
			.filter((executor) -> !executor.isTerminated())
			.forEach((executor) -> logger.warn("A thread of the lock client is still busy after its close: {}",
					executor));
		if (interrupted || !uninterrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Returns whether this thread was not interrupted while it waited. */
	private static boolean ended(List<ExecutorService> executors, long end) {
		try {
			for (ExecutorService executor : executors) {
				executor.awaitTermination(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
			}
			return true;
		}
		catch (InterruptedException ex) {
			return false;
		}
	}

}
