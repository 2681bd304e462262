/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCalls;
import io.github.dynamodblock.runtime.environment.Timer;
import io.github.dynamodblock.store.PageAnswer;
import io.github.dynamodblock.store.PageRequest;

/**
 * An environment whose monotonic clocks and timers run too fast or too slow. The time of
 * day stays right, as a time service would keep it.
 */
final class RatedEnvironment implements Environment {

	private final Environment environment;

	private final double rate;

	/**
	 * @param environment the right one
	 * @param rate how fast the clocks run; 1 is right
	 */
	RatedEnvironment(Environment environment, double rate) {
		this.environment = environment;
		this.rate = rate;
	}

	@Override
	public ClockReading now() {
		ClockReading now = this.environment.now();
		return new ClockReading((long) (now.observerNanos() * this.rate), (long) (now.holderNanos() * this.rate),
				now.wallClock());
	}

	private Timer rated(Timer timer) {
		return (delay, task) -> timer.schedule((long) (delay / this.rate), task);
	}

	@Override
	public Timer timer() {
		return rated(this.environment.timer());
	}

	@Override
	public Timer watch() {
		return rated(this.environment.watch());
	}

	@Override
	public Randomness randomness() {
		return this.environment.randomness();
	}

	@Override
	public StoreCalls calls() {
		return this.environment.calls();
	}

	@Override
	public StoreCalls callsOfWaitingCaller() {
		return this.environment.callsOfWaitingCaller();
	}

	@Override
	public StoreCalls heartbeats() {
		return this.environment.heartbeats();
	}

	@Override
	public CompletableFuture<PageAnswer> list(PageRequest request, long limitNanos) {
		return this.environment.list(request, limitNanos);
	}

	@Override
	public Optional<ServiceTime> serviceTime() {
		return this.environment.serviceTime();
	}

	@Override
	public Executor listeners() {
		return this.environment.listeners();
	}

	@Override
	public void close(Duration patience) {
		this.environment.close(patience);
	}

}
