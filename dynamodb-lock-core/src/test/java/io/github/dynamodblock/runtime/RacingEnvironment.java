/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCall;
import io.github.dynamodblock.runtime.environment.Timer;
import io.github.dynamodblock.store.LockStore;
import io.github.dynamodblock.store.SimulatedTable;
import org.jspecify.annotations.Nullable;

/**
 * One client's environment without a thread of its own: calls are carried out by whoever
 * sends them, or wait for a test to do it; time and timers stand still until a test moves
 * them. So nothing but the threads of a test decides in which order things happen.
 * Thread-safe.
 */
final class RacingEnvironment implements Environment, Randomness {

	private static final Instant TODAY = Instant.parse("2026-01-01T00:00:00Z");

	private final SimulatedTable table;

	private final AtomicInteger versions = new AtomicInteger();

	private final Queue<Scheduled> scheduled = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

	private volatile boolean holdsCallsBack;

	private final AtomicLong nanos = new AtomicLong();

	RacingEnvironment(SimulatedTable table) {
		this.table = table;
	}

	/** From now on calls wait until they are delivered. */
	void holdCallsBack() {
		this.holdsCallsBack = true;
	}

	/** Carries out, on this thread, what waits for it and what comes of that. */
	void deliver() {
		for (Runnable call = this.waiting.poll(); call != null; call = this.waiting.poll()) {
			call.run();
		}
	}

	/** Time passes; nobody is woken. */
	void pass(Duration duration) {
		this.nanos.addAndGet(duration.toNanos());
	}

	/** What is due by now is done, on this thread. */
	void runWhatIsDue() {
		for (Scheduled each : List.copyOf(this.scheduled)) {
			if (each.dueAt <= this.nanos.get() && this.scheduled.remove(each)) {
				each.task.run();
			}
		}
	}

	/** How much waits for its time. */
	int pending() {
		return this.scheduled.size();
	}

	@Override
	public ClockReading now() {
		long now = this.nanos.get();
		return new ClockReading(now, now, TODAY);
	}

	@Override
	public Randomness randomness() {
		return this;
	}

	@Override
	public String recordVersionNumber() {
		return "version " + this.versions.incrementAndGet();
	}

	@Override
	public double fraction() {
		return 0.5;
	}

	@Override
	public Timer watch() {
		return this::schedule;
	}

	private Timer.Task schedule(long delayNanos, Runnable task) {
		if (delayNanos <= 0) {
			task.run();
			return () -> {
			};
		}
		Scheduled scheduled = new Scheduled(this, this.nanos.get() + delayNanos, task);
		this.scheduled.add(scheduled);
		return scheduled;
	}

	@Override
	public Executor background() {
		return Runnable::run;
	}

	@Override
	public void send(StoreCall call, @Nullable Executor thread) {
		((thread != null) ? thread : background()).execute(() -> {
			if (this.holdsCallsBack) {
				this.waiting.add(() -> carryOut(call));
			}
			else {
				carryOut(call);
			}
		});
	}

	private void carryOut(StoreCall sender) {
		Step.Call call = sender.next();
		if (call != null) {
			sender.answered(carryOut(call));
		}
	}

	private Answer carryOut(Step.Call call) {
		synchronized (this.table) {
			return this.table.send(call);
		}
	}

	@Override
	public LockStore store() {
		throw new UnsupportedOperationException("no lock is listed in a race");
	}

	@Override
	public Executor listeners() {
		return Runnable::run;
	}

	@Override
	public void close(Duration patience, Runnable abandoning) {
		// There is nothing to end.
	}

	/** What waits for its time. */
	private static final class Scheduled implements Timer.Task {

		private final RacingEnvironment environment;

		private final long dueAt;

		private final Runnable task;

		Scheduled(RacingEnvironment environment, long dueAt, Runnable task) {
			this.environment = environment;
			this.dueAt = dueAt;
			this.task = task;
		}

		@Override
		public void cancel() {
			this.environment.scheduled.remove(this);
		}

	}

}
