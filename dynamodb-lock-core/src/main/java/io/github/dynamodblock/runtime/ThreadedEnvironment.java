/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.protocol.Moment;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.store.LockStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The environment of a client in production: the machine's clocks, and threads that exist
 * only while there is something to do.
 */
public final class ThreadedEnvironment implements Environment, Randomness {

	private static final Logger logger = LoggerFactory.getLogger(ThreadedEnvironment.class);

	private static final int MOST_HEARTBEATS_AT_ONCE = 12;

	private final SystemClocks clocks = new SystemClocks();

	private final ScheduledTimer timer;

	private final ScheduledTimer watch;

	private final ExecutorService callThreads;

	private final ExecutorService heartbeatThreads;

	private final ExecutorService listenerThreads;

	private final Executor listeners;

	private final StoreCalls calls;

	private final StoreCalls callsHere;

	private final StoreCalls heartbeats;

	private final PageCalls pages;

	/**
	 * An environment without threads as yet.
	 * @param store the lock table
	 * @param threadFactory what makes threads, or {@code null} for named daemon threads
	 * @param listeners where listeners are called, or {@code null} for threads of their
	 * own
	 */
	public ThreadedEnvironment(LockStore store, @Nullable ThreadFactory threadFactory, @Nullable Executor listeners) {
		LockThreads threads = new LockThreads(threadFactory);
		this.timer = new ScheduledTimer(threads.scheduler("timer"));
		this.watch = new ScheduledTimer(threads.scheduler("watch"));
		this.callThreads = threads.unbounded("call");
		this.heartbeatThreads = threads.bounded("heartbeat", MOST_HEARTBEATS_AT_ONCE);
		this.listenerThreads = threads.unbounded("listener");
		this.listeners = (listeners != null) ? listeners : this::tell;
		this.calls = new ThreadedStoreCalls(store, this.callThreads);
		this.callsHere = new ThreadedStoreCalls(store, Runnable::run);
		this.heartbeats = new ThreadedStoreCalls(store, this.heartbeatThreads);
		this.pages = new ThreadedPageCalls(store, this.callThreads);
	}

	@Override
	public Moment now() {
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
	public Timer watch() {
		return this.watch;
	}

	@Override
	public StoreCalls calls() {
		return this.calls;
	}

	@Override
	public StoreCalls callsForWaitingCaller() {
		// What follows the first call comes from the timer's thread, which must not
		// block.
		AtomicReference<StoreCalls> next = new AtomicReference<>(this.callsHere);
		return (source, answered) -> Objects.requireNonNull(next.getAndSet(this.calls)).send(source, answered);
	}

	@Override
	public StoreCalls heartbeats() {
		return this.heartbeats;
	}

	@Override
	public PageCalls pages() {
		return this.pages;
	}

	@Override
	public Executor listeners() {
		return this.listeners;
	}

	private void tell(Runnable event) {
		try {
			this.listenerThreads.execute(event);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("A listener was not told, since the lock client is closed");
		}
	}

	@Override
	public void close(Duration patience) {
		List<ExecutorService> all = List.of(this.timer.executor(), this.watch.executor(), this.callThreads,
				this.heartbeatThreads, this.listenerThreads);
		// Listeners are still told what was lost; nothing else is left to do.
		all.forEach(ExecutorService::shutdown);
		all.subList(0, 2).forEach(ExecutorService::shutdownNow);
		long end = System.nanoTime() + patience.toNanos();
		boolean interrupted = Thread.interrupted();
		for (ExecutorService executor : all) {
			interrupted |= !ended(executor, Math.max(0, end - System.nanoTime()));
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Returns whether this thread was left in peace while it waited. */
	private static boolean ended(ExecutorService executor, long nanos) {
		try {
			if (!executor.awaitTermination(nanos, TimeUnit.NANOSECONDS)) {
				executor.shutdownNow();
				if (!executor.awaitTermination(1, TimeUnit.SECONDS)) {
					logger.warn("A thread of the lock client is still busy after its close: {}", executor);
				}
			}
			return true;
		}
		catch (InterruptedException ex) {
			executor.shutdownNow();
			return false;
		}
	}

}
