/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.CallQueue;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCall;
import io.github.dynamodblock.runtime.environment.ThreadedEnvironment;
import io.github.dynamodblock.runtime.environment.Timer;
import io.github.dynamodblock.store.LockStore;
import org.jspecify.annotations.Nullable;

/**
 * One client's environment in virtual time, in one thread, over a real store. Every call
 * takes some virtual time; a test says what is to go wrong with the next ones.
 */
final class VirtualEnvironment implements Environment, Randomness {

	/** How long a call takes: half of it until the store has it, half for the answer. */
	static final Duration CALL = Duration.ofMillis(10);

	private final VirtualTime time;

	private final LockStore store;

	private final Random random;

	private final Deque<Fault> faults = new ArrayDeque<>();

	private long slept;

	private int clockReadings;

	private Duration wallClockOffset = Duration.ZERO;

	private boolean serviceTimeKnown;

	private int sent;

	private int reads;

	private int written;

	private boolean closed;

	private Function<Step.Call, Course> courses = (call) -> Course.USUAL;

	private Consumer<Step.Call> sends = (call) -> {
	};

	private Consumer<Answer> receives = (answer) -> {
	};

	private final CallQueue calls;

	private final CallQueue heartbeats = CallQueue.ofHeartbeats(this::send, ThreadedEnvironment.DEFAULT_CONCURRENCY);

	VirtualEnvironment(VirtualTime time, LockStore store, long seed) {
		this(time, store, seed, 1000);
	}

	VirtualEnvironment(VirtualTime time, LockStore store, long seed, int slots) {
		this.calls = CallQueue.ofCalls(this::send, slots);
		this.random = new Random(seed);
		this.time = time;
		this.store = store;
	}

	/** What is to go wrong with the next calls, one after the other. */
	void next(Fault... faults) {
		this.faults.addAll(List.of(faults));
	}

	/**
	 * From now on calls take their course as this says, unless something else goes wrong.
	 */
	void let(Function<Step.Call, Course> courses) {
		this.courses = courses;
	}

	/** From now on each call and each answer is shown when the client has it. */
	void show(Consumer<Step.Call> sends, Consumer<Answer> receives) {
		this.sends = sends;
		this.receives = receives;
	}

	/** From now on nothing goes wrong. */
	void forgetFaults() {
		this.faults.clear();
	}

	/** The machine sleeps: only the holder's clock knows. */
	void sleep(Duration duration) {
		this.slept += duration.toNanos();
	}

	/** The wall clock of this machine is set, ahead or behind of what is right. */
	void setWallClock(Duration ahead) {
		this.wallClockOffset = ahead;
	}

	/** From now on the client knows the right time of day. */
	void knowServiceTime() {
		this.serviceTimeKnown = true;
	}

	/** How many calls were sent. */
	int sent() {
		return this.sent;
	}

	/** How many of the calls were reads, or marks in their place. */
	int reads() {
		return this.reads;
	}

	/** How many of the calls were writes. */
	int written() {
		return this.written;
	}

	boolean isClosed() {
		return this.closed;
	}

	@Override
	public ClockReading now() {
		this.clockReadings++;
		return new ClockReading(this.time.nanos(), this.time.nanos() + this.slept,
				this.time.wallClock().plus(this.wallClockOffset))
			.comparedWith(Optional.of(this.time.wallClock())
				.filter((known) -> this.serviceTimeKnown)
				.map((now) -> new ServiceTime(now, now)));
	}

	int clockReadings() {
		return this.clockReadings;
	}

	@Override
	public Randomness randomness() {
		return this;
	}

	@Override
	public String recordVersionNumber() {
		return new UUID(this.random.nextLong(), this.random.nextLong()).toString();
	}

	@Override
	public double fraction() {
		return this.random.nextDouble();
	}

	@Override
	public Timer watch() {
		return this.time::at;
	}

	@Override
	public Executor background() {
		return Runnable::run;
	}

	@Override
	public void send(StoreCall call, @Nullable Executor thread) {
		SimulatedProcess.queue(call, this.heartbeats, this.calls).send(call, (thread != null) ? thread : background());
	}

	private void send(Step.Call call, Consumer<Answer> answered) {
		this.sends.accept(call);
		this.sent++;
		this.reads += (call instanceof Step.Read || call instanceof Step.Mark) ? 1 : 0;
		this.written += (call instanceof Step.Write) ? 1 : 0;
		Fault fault = this.faults.isEmpty() ? Fault.NONE : this.faults.remove();
		long half = CALL.toNanos() / 2;
		Answer lost = new Answer.Unknown(new IllegalStateException("the test lost this answer"));
		switch (fault) {
			case NONE -> takeCourse(call, answered, this.courses.apply(call));
			case ANSWER_LOST -> this.time.at(half, () -> {
				carryOut(call);
				answerLater(answered, lost, call.limitNanos() - half);
			});
			case REQUEST_LOST -> answerLater(answered, lost, call.limitNanos());
			case DELIVERED_LATE -> {
				answerLater(answered, lost, call.limitNanos());
				this.time.at(call.limitNanos() + Duration.ofSeconds(1).toNanos(), () -> carryOut(call));
			}
			case DELIVERED_TWICE -> {
				this.time.at(half, () -> answerLater(answered, carryOut(call), half));
				this.time.at(Duration.ofSeconds(1).toNanos(), () -> carryOut(call));
			}
			case REQUEST_SLOW ->
				this.time.at(Duration.ofSeconds(1).toNanos(), () -> answerLater(answered, carryOut(call), half));
			case REFUSED -> answerLater(answered,
					new Answer.Failed(new LockStoreException("the test refused this call", null)), CALL.toNanos());
			case ANSWER_SLOW ->
				this.time.at(half, () -> answerLater(answered, carryOut(call), Duration.ofSeconds(30).toNanos()));
		}
	}

	private void takeCourse(Step.Call call, Consumer<Answer> answered, Course course) {
		long half = course.took.toNanos() / 2;
		if (course.took.toNanos() >= call.limitNanos()) {
			answerLater(answered, new Answer.Unknown(new IllegalStateException("the test let this call hang")),
					call.limitNanos());
		}
		else if (course.throttled) {
			answerLater(answered, new Answer.NotApplied(new IllegalStateException("the test throttled this call")),
					course.took.toNanos());
		}
		else {
			this.time.at(half, () -> answerLater(answered, carryOut(call), half));
		}
	}

	private void answerLater(Consumer<Answer> answered, Answer answer, long nanos) {
		this.time.at(nanos, () -> {
			this.receives.accept(answer);
			answered.accept(answer);
		});
	}

	private Answer carryOut(Step.Call call) {
		long limit = Duration.ofSeconds(20).toNanos();
		if (call instanceof Step.Write write) {
			return this.store.send(new Step.Write(write.write(), limit));
		}
		if (call instanceof Step.Read read) {
			return this.store.send(new Step.Read(read.key(), read.consistent(), limit));
		}
		return this.store.send(call);
	}

	@Override
	public LockStore store() {
		return this.store;
	}

	@Override
	public Executor listeners() {
		return Runnable::run;
	}

	@Override
	public void close(Duration patience, Runnable abandoning) {
		this.closed = true;
	}

	/**
	 * The course that a call takes. One that would take longer than its limit never
	 * arrives.
	 *
	 * @param took how long it takes
	 * @param throttled whether it then fails without effect
	 */
	record Course(Duration took, boolean throttled) {

		static final Course USUAL = taking(CALL);

		/** It hangs until its limit. */
		static final Course HANGING = taking(Duration.ofDays(1));

		static Course taking(Duration took) {
			return new Course(took, false);
		}

	}

	/**
	 * What can go wrong with a call.
	 */
	enum Fault {

		/** Nothing. */
		NONE,

		/** It is applied, and the answer never comes. */
		ANSWER_LOST,

		/** It never arrives. */
		REQUEST_LOST,

		/** It arrives a second after its sender gave it up. */
		DELIVERED_LATE,

		/** It arrives again a second later. */
		DELIVERED_TWICE,

		/** It arrives a second later, and is answered then. */
		REQUEST_SLOW,

		/** It is refused for good and has no effect. */
		REFUSED,

		/** It is applied, and the answer comes half a minute later. */
		ANSWER_SLOW

	}

}
