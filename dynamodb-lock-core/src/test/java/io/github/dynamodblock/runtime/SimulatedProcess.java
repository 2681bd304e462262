/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.CallQueue;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCall;
import io.github.dynamodblock.runtime.environment.Timer;
import io.github.dynamodblock.store.LockStore;
import org.jspecify.annotations.Nullable;

/**
 * The process in which a simulated client runs: it can be paused, which holds up all that
 * is to happen in it while its clocks go on, and it can crash, which ends it. One of its
 * threads can stall between a reading of a clock and what follows, while others go on.
 */
final class SimulatedProcess implements Environment, Randomness {

	private final String name;

	private final VirtualTime time;

	private final SimulatedClocks clocks;

	private final Chance chance;

	private final SimulatedNetwork network;

	private final SimulatedThreads threads;

	private final SafetyChecks checks;

	private final Consumer<SimulatedProcess> afterEvent;

	/** Whether listeners are called on the thread that has something to tell. */
	private final boolean callsListenersAtOnce;

	private final Timer timer = new SimulatedTimer(this);

	private final CallQueue calls;

	private final CallQueue heartbeats;

	private final boolean comparesClocks;

	private double stalls;

	/** What is to happen once the process is continued. */
	private final Deque<Runnable> held = new ArrayDeque<>();

	private boolean paused;

	private boolean dead;

	private boolean ending;

	private boolean closed;

	private boolean cutOff;

	/** Whether the region of the process is cut off from the other regions. */
	private boolean left;

	private long pausedAt;

	private long continuedAt = Long.MIN_VALUE;

	private long troubledAt = Long.MIN_VALUE;

	/** How many calls wait for an answer that is not to come as usual. */
	private int troubledCalls;

	private int stalledThreads;

	private long stalled;

	private int versions;

	SimulatedProcess(String name, VirtualTime time, SimulatedClocks clocks, Chance chance, SimulatedNetwork network,
			SimulatedThreads threads, SafetyChecks checks, Consumer<SimulatedProcess> afterEvent, Scenario scenario) {
		this.name = name;
		this.time = time;
		this.clocks = clocks;
		this.chance = chance;
		this.network = network;
		this.threads = threads;
		this.checks = checks;
		this.afterEvent = afterEvent;
		this.callsListenersAtOnce = chance.in(scenario.listenersCalledAtOnce());
		this.stalls = scenario.stalls();
		this.comparesClocks = scenario.clockSkewBound() != null;
		int slots = scenario.callSlots();
		this.calls = CallQueue.ofCalls((call, answered) -> this.network.carry(this, call, false, answered), slots);
		this.heartbeats = CallQueue.ofHeartbeats((call, answered) -> this.network.carry(this, call, true, answered),
				slots);
	}

	SimulatedClocks clocks() {
		return this.clocks;
	}

	boolean isPaused() {
		return this.paused;
	}

	boolean isDead() {
		return this.dead;
	}

	/** The client begins to close. */
	void ending() {
		this.ending = true;
	}

	boolean isEnding() {
		return this.ending;
	}

	boolean isClosed() {
		return this.closed;
	}

	/** Whether nothing gets through to the table or back. */
	boolean isCutOff() {
		return this.cutOff;
	}

	/** Whether the region of the process is cut off from the other regions. */
	boolean hasLeft() {
		return this.left;
	}

	/** When the process or a thread of it was continued last, in true time. */
	private long continuedAt() {
		return (this.stalledThreads > 0) ? this.time.nanos() : this.continuedAt;
	}

	/** Whether something in the process may be late because it did not run just now. */
	boolean wasStalled() {
		return wasStalled(SafetyChecks.SLACK);
	}

	boolean wasStalled(long lately) {
		return this.time.nanos() - lately <= continuedAt();
	}

	/** For how long threads have stalled in all, by the monotonic clock. */
	long stalled() {
		return this.stalled;
	}

	/** From now on no thread stalls. */
	void calmDown() {
		this.stalls = 0;
	}

	/** When something was last done to the process or its calls, in true time. */
	long troubledAt() {
		boolean troubled = this.paused || this.cutOff || this.left || this.troubledCalls > 0 || this.stalledThreads > 0;
		return troubled ? this.time.nanos() : this.troubledAt;
	}

	/** Something is done to the process or one of its calls. */
	void trouble() {
		this.troubledAt = this.time.nanos();
	}

	/** Something goes wrong with a call until its sender has an answer. */
	void troubledCallBegins() {
		this.troubledCalls++;
	}

	void troubledCallEnds() {
		this.troubledCalls--;
		trouble();
	}

	void cutOff(boolean cutOff) {
		this.cutOff = cutOff;
		trouble();
	}

	void leave(boolean left) {
		this.left = left;
		trouble();
	}

	void pause() {
		this.paused = true;
		this.pausedAt = this.time.nanos();
		trouble();
	}

	void resume(boolean slept) {
		if (!this.paused) {
			return;
		}
		this.paused = false;
		this.continuedAt = this.time.nanos();
		trouble();
		if (slept) {
			this.clocks.slept(this.time.nanos() - this.pausedAt);
		}
		while (!this.held.isEmpty()) {
			handle(this.held.remove());
		}
	}

	void crash() {
		this.dead = true;
		this.held.clear();
	}

	/** How many record version numbers this process has made. */
	int versions() {
		return this.versions;
	}

	/** Whether this process made a record version number after so many others. */
	boolean madeSince(int versions, String recordVersionNumber) {
		String own = this.name + "-";
		return recordVersionNumber.startsWith(own)
				&& Integer.parseInt(recordVersionNumber.substring(own.length())) > versions;
	}

	/** Lets something happen in this process. */
	void handle(Runnable event) {
		if (this.dead) {
			return;
		}
		if (this.paused) {
			this.held.add(event);
			return;
		}
		if (this.chance.in(this.stalls)) {
			this.threads.begin(event, this.chance.between(1, 16));
		}
		else {
			event.run();
		}
		this.afterEvent.accept(this);
	}

	/**
	 * A thread has read a clock and stalls. Its locks stay locked; whoever needs one lets
	 * it go on.
	 */
	private void stall() {
		SimulatedThreads.Task task = this.threads.current();
		this.network.history().add(this, "has a thread that stalls");
		this.stalledThreads++;
		long span = this.chance.in(0.5) ? this.chance.nanos(1, 600) : this.chance.nanos(600, 4000);
		long since = this.clocks.observerNanos();
		this.time.at(span, () -> goOn(task));
		this.threads.stall();
		this.stalled += this.clocks.observerNanos() - since;
		this.network.history().add(this, "has a thread that goes on");
		this.stalledThreads--;
		this.continuedAt = this.time.nanos();
		task.wentOnAt(this.continuedAt);
		trouble();
	}

	/** Whether the thread that runs now has stalled since it decided what it does. */
	boolean isLateByAStall() {
		return this.threads.current().wentOnAtOnce(this.time.nanos());
	}

	private void goOn(SimulatedThreads.Task task) {
		if (this.dead) {
			return;
		}
		if (this.paused) {
			this.held.add(() -> this.threads.continueIfStalled(task));
			return;
		}
		this.threads.continueIfStalled(task);
		this.afterEvent.accept(this);
	}

	/** Lets something happen in this process later. */
	Timer.Task later(long trueNanos, Runnable event) {
		return this.time.at(trueNanos, () -> handle(event));
	}

	@Override
	public ClockReading now() {
		ClockReading now = this.clocks.now(this::mayStall);
		mayStall();
		return this.comparesClocks ? compared(now) : now;
	}

	private ClockReading compared(ClockReading reading) {
		Instant now = this.time.wallClock();
		ClockReading compared = reading.comparedWith(Optional
			.of(new ServiceTime(now.minus(Scenario.CLOCK_UNCERTAINTY), now.plus(Scenario.CLOCK_UNCERTAINTY))));
		mayStall();
		return compared;
	}

	private void mayStall() {
		if (this.threads.current().stallsAfterReading()) {
			stall();
		}
	}

	@Override
	public Lock lock() {
		return new SimulatedLock(this.threads, this.checks::violation);
	}

	@Override
	public Randomness randomness() {
		return this;
	}

	@Override
	public String recordVersionNumber() {
		this.versions++;
		return this.name + "-" + this.versions;
	}

	@Override
	public double fraction() {
		return this.chance.fraction();
	}

	@Override
	public Timer watch() {
		return this.timer;
	}

	@Override
	public Executor background() {
		return this::onAThread;
	}

	@Override
	public void send(StoreCall call, @Nullable Executor thread) {
		queue(call, this.heartbeats, this.calls).send(call, (thread != null) ? thread : background());
	}

	/** The queue of a call. */
	static CallQueue queue(StoreCall call, CallQueue heartbeats, CallQueue calls) {
		return (call.priority().kind().compareTo(CallKind.RELEASE) < 0) ? heartbeats : calls;
	}

	private void onAThread(Runnable call) {
		if (this.closed) {
			throw new RejectedExecutionException("the simulated client is closed");
		}
		later(threadStart(), call);
	}

	/** How long it takes until another thread runs. */
	long threadStart() {
		return this.chance.nanos(0, 1) / 4;
	}

	@Override
	public LockStore store() {
		throw new UnsupportedOperationException("Simulated clients list nothing");
	}

	@Override
	public Executor listeners() {
		return this::callListener;
	}

	private void callListener(Runnable event) {
		if (this.threads.current().holdsLocks()) {
			this.checks.violation("code of the application runs while the client holds a lock");
		}
		if (this.callsListenersAtOnce) {
			event.run();
		}
		else {
			later(threadStart(), event);
		}
	}

	@Override
	public void close(Duration patience, Runnable abandoning) {
		this.closed = true;
	}

	@Override
	public String toString() {
		return this.name;
	}

}
