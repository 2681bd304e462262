/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Moment;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * The process in which a simulated client runs: it can be paused, which holds up all that
 * is to happen in it while its clocks go on, and it can crash, which ends it.
 */
final class SimulatedProcess implements Environment, Randomness {

	private final String name;

	private final VirtualTime time;

	private final SimulatedClocks clocks;

	private final Chance chance;

	private final SimulatedNetwork network;

	private final Consumer<SimulatedProcess> afterEvent;

	/** What is to happen once the process is continued. */
	private final Deque<Runnable> held = new ArrayDeque<>();

	private boolean paused;

	private boolean dead;

	private boolean ending;

	private boolean closed;

	private boolean cutOff;

	private long pausedAt;

	private long continuedAt = Long.MIN_VALUE;

	private long troubledAt = Long.MIN_VALUE;

	/** How many calls wait for an answer that is not to come as usual. */
	private int troubledCalls;

	private int versions;

	SimulatedProcess(String name, VirtualTime time, SimulatedClocks clocks, Chance chance, SimulatedNetwork network,
			Consumer<SimulatedProcess> afterEvent) {
		this.name = name;
		this.time = time;
		this.clocks = clocks;
		this.chance = chance;
		this.network = network;
		this.afterEvent = afterEvent;
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

	/** When the process was continued last, in true time. */
	long continuedAt() {
		return this.continuedAt;
	}

	/** When something was last done to the process or its calls, in true time. */
	long troubledAt() {
		boolean troubled = this.paused || this.cutOff || this.troubledCalls > 0;
		return troubled ? this.time.nanos() : this.troubledAt;
	}

	private void trouble() {
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
		event.run();
		this.afterEvent.accept(this);
	}

	/** Lets something happen in this process later. */
	Timer.Task later(long trueNanos, Runnable event) {
		return this.time.at(trueNanos, () -> handle(event));
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
		this.versions++;
		return this.name + "-" + this.versions;
	}

	@Override
	public double fraction() {
		return this.chance.fraction();
	}

	@Override
	public Timer timer() {
		return this::schedule;
	}

	@Override
	public Timer watch() {
		return this::schedule;
	}

	private Timer.Task schedule(long delayNanos, Runnable task) {
		Alarm alarm = new Alarm(this.clocks.observerNanos() + Math.max(0, Math.min(delayNanos, Long.MAX_VALUE / 4)),
				task);
		if (!this.closed) {
			alarm.set();
		}
		return alarm;
	}

	@Override
	public StoreCalls calls() {
		return (source, answered) -> send(source, false, answered);
	}

	@Override
	public StoreCalls heartbeats() {
		return (source, answered) -> send(source, true, answered);
	}

	private void send(StoreCalls.Source source, boolean heartbeat, Consumer<Answer> answered) {
		if (this.closed) {
			answered.accept(new Answer.Unknown(new IllegalStateException("the simulated client is closed")));
			return;
		}
		later(threadStart(), () -> {
			Step.Call call = source.next();
			if (call != null) {
				this.network.carry(this, call, heartbeat, answered);
			}
		});
	}

	/** How long it takes until another thread runs. */
	long threadStart() {
		return this.chance.nanos(0, 1) / 4;
	}

	@Override
	public PageCalls pages() {
		throw new UnsupportedOperationException("Simulated clients list nothing");
	}

	@Override
	public Executor listeners() {
		return (event) -> later(threadStart(), event);
	}

	@Override
	public void close(Duration patience) {
		this.closed = true;
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * A task for a time on the monotonic clock, which may stand still meanwhile.
	 */
	private final class Alarm implements Timer.Task {

		private final long at;

		private final Runnable task;

		private Timer.@Nullable Task waiting;

		private boolean cancelled;

		Alarm(long at, Runnable task) {
			this.at = at;
			this.task = task;
		}

		void set() {
			long left = Math.max(0, this.at - SimulatedProcess.this.clocks.observerNanos());
			this.waiting = later(SimulatedProcess.this.clocks.trueNanos(left) + threadStart() / 4, this::ring);
		}

		private void ring() {
			if (this.cancelled || SimulatedProcess.this.closed) {
				return;
			}
			if (SimulatedProcess.this.clocks.observerNanos() < this.at) {
				set();
			}
			else {
				this.task.run();
			}
		}

		@Override
		public void cancel() {
			this.cancelled = true;
			if (this.waiting != null) {
				this.waiting.cancel();
			}
		}

	}

}
