/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.store.LockStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The environment of a client in production: the machine's clocks, and threads that end
 * when they are idle.
 */
public final class ThreadedEnvironment implements Environment, Randomness {

	private static final Logger logger = LoggerFactory.getLogger(ThreadedEnvironment.class);

	/** Half of the connections that an HTTP client of the SDK has by default. */
	public static final int DEFAULT_CONCURRENCY = 25;

	private final SystemClocks clocks = new SystemClocks();

	private final LockStore store;

	private final boolean comparesClocks;

	private final ScheduledTimer waits;

	private final ScheduledTimer watch;

	private final ThreadPoolExecutor callThreads;

	private final ThreadPoolExecutor heartbeatThreads;

	private final ThreadPoolExecutor listenerThreads;

	private final @Nullable Executor listeners;

	private final UnaryOperator<Executor> callersContext;

	private final CallQueue calls;

	private final CallQueue heartbeats;

	/** Creates an environment with default limits. */
	public ThreadedEnvironment(LockStore store, @Nullable ThreadFactory threadFactory, @Nullable Executor listeners) {
		this(store, false, DEFAULT_CONCURRENCY, DEFAULT_CONCURRENCY, threadFactory, listeners,
				UnaryOperator.identity());
	}

	/**
	 * Creates an environment.
	 * @param comparesClocks whether each clock reading includes DynamoDB's time
	 * @param heartbeats how many heartbeats are sent at a time
	 * @param calls how many other calls are sent at a time; {@link CallKind} reserves
	 * some of them
	 * @param threadFactory creates the threads, or {@code null} for named daemon threads
	 * @param listeners calls the listeners, or {@code null} for threads of the client
	 * @param callersContext wraps an executor so its tasks run in the context of this
	 * thread
	 */
	public ThreadedEnvironment(LockStore store, boolean comparesClocks, int heartbeats, int calls,
			@Nullable ThreadFactory threadFactory, @Nullable Executor listeners,
			UnaryOperator<Executor> callersContext) {
		this.store = store;
		this.comparesClocks = comparesClocks;
		LockThreads threads = new LockThreads(threadFactory);
		this.waits = new ScheduledTimer(threads.timer("wait"));
		this.watch = new ScheduledTimer(threads.timer("watch"));
		this.callThreads = threads.unbounded("call");
		this.heartbeatThreads = threads.unbounded("heartbeat");
		this.listenerThreads = threads.listeners();
		this.listeners = listeners;
		this.callersContext = callersContext;
		BiConsumer<Step.Call, Consumer<Answer>> sender = (call, answered) -> answered.accept(store.send(call));
		this.calls = CallQueue.ofCalls(sender, calls);
		this.heartbeats = CallQueue.ofHeartbeats(sender, heartbeats);
	}

	@Override
	public ClockReading now() {
		ClockReading now = this.clocks.now();
		return this.comparesClocks ? now.comparedWith(this.store.serviceTime()) : now;
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
	public Timer waits() {
		return this.waits;
	}

	@Override
	public Timer watch() {
		return this.watch;
	}

	@Override
	public Executor background() {
		return this.callThreads;
	}

	@Override
	public Executor callersContext() {
		try {
			return Objects.requireNonNull(this.callersContext.apply(this.callThreads),
					"callersContext returned null instead of an executor");
		}
		catch (RuntimeException | LinkageError ex) {
			logger.warn("Could not capture the caller's context for calls to DynamoDB", ex);
			return this.callThreads;
		}
	}

	@Override
	public void send(StoreCall call, @Nullable Executor thread) {
		StoreCall.Priority priority = call.priority();
		boolean heartbeat = priority.kind().isHeartbeat();
		Executor own = heartbeat ? this.heartbeatThreads : this.callThreads;
		(heartbeat ? this.heartbeats : this.calls).send(call, priority, (thread != null) ? thread : own);
	}

	@Override
	public LockStore store() {
		return this.store;
	}

	@Override
	public Executor listeners() {
		return (this.listeners != null) ? this.listeners : this.listenerThreads;
	}

	@Override
	public boolean runsThisThread() {
		return executors().anyMatch(LockThreads::runsThisThread);
	}

	private Stream<ThreadPoolExecutor> executors() {
		return Stream.of(this.waits.executor(), this.watch.executor(), this.callThreads, this.heartbeatThreads,
				this.listenerThreads);
	}

	@Override
	public void close(Duration timeout, Runnable abandoning) {
		// Listeners are still notified of losses. No other task is left.
		executors().forEach(ThreadPoolExecutor::shutdown);
		// A callback that closes the client must not wait for itself or interrupt itself.
		List<ThreadPoolExecutor> others = executors().filter((each) -> !LockThreads.runsThisThread(each)).toList();
		long begin = System.nanoTime();
		boolean interrupted = Thread.interrupted();
		// Threads have half of the time to end, and the other half after an interrupt.
		interrupted |= awaitEnd(others, begin + timeout.toNanos() / 2);
		if (others.contains(this.listenerThreads) && !this.listenerThreads.isTerminated()) {
			abandoning.run();
		}
		others.forEach(ThreadPoolExecutor::shutdownNow);
		interrupted |= awaitEnd(others, begin + timeout.toNanos());
		others.stream()
			.filter((executor) -> !executor.isTerminated())
			.forEach((executor) -> logger.warn(
					"A thread of the lock client is still busy after the client was closed: {}",
					executor.getThreadFactory()));
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Returns whether this thread was interrupted while it waited. */
	private static boolean awaitEnd(List<ThreadPoolExecutor> executors, long end) {
		boolean interrupted = false;
		for (ThreadPoolExecutor executor : executors) {
			boolean awaited = false;
			while (!awaited) {
				try {
					executor.awaitTermination(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
					awaited = true;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		return interrupted;
	}

}
