/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Spliterator;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.DefaultLockClient;
import io.github.dynamodblock.runtime.Releases;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.CallQueue;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCall;
import io.github.dynamodblock.runtime.environment.ThreadedEnvironment;
import io.github.dynamodblock.runtime.environment.Timer;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.store.ItemRules;
import io.github.dynamodblock.store.LockStore;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.Nullable;

/**
 * A process with a real lock client on a real store, in virtual time. The network between
 * them loses, delays and refuses calls. Nothing happens in it any more once it has ended.
 */
final class SimulatedProcess implements Environment, Randomness {

	static final Duration LEASE = Duration.ofSeconds(3);

	static final TableSchema SCHEMA = TableSchema.of("locks");

	private static final LeaseTerms TERMS = new LeaseTerms(LEASE, LEASE.dividedBy(4), null,
			LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE, Duration.ofDays(7), null);

	private static final ItemRules RULES = new ItemRules(SCHEMA);

	// Made once: most of a run's time would go into their stack traces.
	private static final Answer NO_ANSWER = new Answer.Unknown(new LockStoreException("no answer", null));

	private static final Answer NO_ANSWER_AFTER_RETRIES = new Answer.Failed(
			new LockStoreException("no answer after retries", null));

	private static final Answer NOT_ALLOWED = new Answer.Failed(new LockStoreException("not allowed", null));

	private final String name;

	private final SimulatedTime time;

	private final LockStore store;

	private final Random random;

	private final Network network;

	private final LockClient client;

	private final CallQueue heartbeats = CallQueue.ofHeartbeats(this::carry, ThreadedEnvironment.DEFAULT_CONCURRENCY);

	private Duration clockError;

	private Consumer<LockWrite> onApplied = (write) -> {
	};

	private long pausedUntil;

	private long cutOffUntil;

	private boolean ended;

	private boolean answered;

	private long lastWrite;

	private int versions;

	private int reads;

	private double readUnits;

	private int writes;

	SimulatedProcess(String name, SimulatedTime time, LockStore store, Random random, Network network,
			Duration clockError) {
		this.name = name;
		this.time = time;
		this.store = store;
		this.random = random;
		this.network = network;
		this.clockError = clockError;
		this.client = new DefaultLockClient(
				new ClientSettings(name, TERMS, Duration.ZERO, null, false, null, 100, true, List.of(), RULES), this);
	}

	LockClient client() {
		return this.client;
	}

	Instant wallClock() {
		return this.time.now().plus(this.clockError);
	}

	void setClockError(Duration error) {
		this.clockError = error;
	}

	/** The process crashes, or has closed. */
	void end() {
		this.ended = true;
	}

	/** Nothing happens in this process; what it has sent arrives. */
	void pause(Duration duration) {
		this.pausedUntil = this.time.nanos() + duration.toNanos();
	}

	/** Nothing that this process sends arrives. */
	void cutOff(Duration duration) {
		this.cutOffUntil = this.time.nanos() + duration.toNanos();
	}

	/** Closes the lock client; the process goes on. */
	void closeClient() {
		Releases.close(this.client);
	}

	/** Whether callers that block would be answered. */
	boolean isConnected() {
		return !this.network.isOut(this.time) && this.time.nanos() >= this.cutOffUntil;
	}

	/** Notices writes in the table, whatever this process knows of them. */
	void onApplied(Consumer<LockWrite> action) {
		this.onApplied = action;
	}

	/** When a write of this process was applied last. */
	long lastWrite() {
		return this.lastWrite;
	}

	/** What the reads of this process cost. */
	double readUnits() {
		return this.readUnits;
	}

	/** How many reads of this process have arrived. */
	int reads() {
		return this.reads;
	}

	/** How many writes of this process have arrived, refused ones included. */
	int writes() {
		return this.writes;
	}

	Timer.Task later(Duration delay, Runnable action) {
		return later(delay.toNanos(), action);
	}

	private Timer.Task later(long delayNanos, Runnable action) {
		boolean[] cancelled = { false };
		this.time.at(delayNanos, () -> resume(() -> {
			if (!cancelled[0]) {
				action.run();
			}
		}));
		return () -> cancelled[0] = true;
	}

	private void resume(Runnable action) {
		if (this.time.nanos() < this.pausedUntil) {
			this.time.at(this.pausedUntil - this.time.nanos(), () -> resume(action));
		}
		else if (!this.ended) {
			action.run();
		}
	}

	@Override
	public ClockReading now() {
		return new ClockReading(this.time.nanos(), this.time.nanos(), wallClock());
	}

	@Override
	public Randomness randomness() {
		return this;
	}

	@Override
	public String recordVersionNumber() {
		return this.name + "-" + this.versions++;
	}

	@Override
	public double fraction() {
		return this.random.nextDouble();
	}

	@Override
	public Timer watch() {
		return this::later;
	}

	@Override
	public Executor background() {
		return Runnable::run;
	}

	@Override
	public void send(StoreCall call, @Nullable Executor thread) {
		Executor maker = (thread != null) ? thread : background();
		CallKind kind = call.priority().kind();
		if (kind.compareTo(CallKind.RELEASE) < 0) {
			this.heartbeats.send(call, maker);
		}
		else {
			maker.execute(() -> carry(call, kind));
		}
	}

	/**
	 * Callers that block, for a read or a change, have the only thread: at once, and
	 * without retries, for which time would have to pass.
	 */
	private void carry(StoreCall sender, CallKind kind) {
		Step.Call call = sender.next();
		boolean blocks = call instanceof Step.Read
				|| (call instanceof Step.Write write && write.write() instanceof LockWrite.Change);
		if (call != null && blocks && kind != CallKind.ACQUIRE) {
			sender.answered(isConnected() ? carryOut(call) : NO_ANSWER_AFTER_RETRIES);
		}
		else if (call != null) {
			carry(call, sender::answered);
		}
	}

	private void carry(Step.Call call, Consumer<Answer> answered) {
		long limit = call.limitNanos();
		if (!isConnected()) {
			later(limit, () -> answered.accept(NO_ANSWER));
		}
		else if (this.time.nanos() < this.network.delayedUntil && this.random.nextInt(3) == 0) {
			arrive(60_000_000_000L, call, (answer) -> {
			});
			later(limit, () -> answered.accept(NO_ANSWER));
		}
		else if (this.random.nextDouble() >= this.network.trouble()) {
			arrive(latency(), call, (answer) -> later(latency(), () -> answered.accept(answer)));
		}
		else {
			carryBadly(call, limit, answered);
		}
	}

	private void carryBadly(Step.Call call, long limit, Consumer<Answer> answered) {
		this.network.troubled++;
		switch (this.random.nextInt(5)) {
			case 0 -> later(limit, () -> answered.accept(NO_ANSWER));
			case 1 -> later(latency(), () -> answered.accept(NOT_ALLOWED));
			case 2 -> {
				double longest = (this.random.nextInt(10) == 0) ? 90e9 : 3e9;
				long late = limit + (long) (this.random.nextDouble() * longest);
				arrive(late, call, (answer) -> {
				});
				later(limit, () -> answered.accept(NO_ANSWER));
			}
			default -> {
				arrive(latency(), call, (answer) -> {
				});
				later(limit, () -> answered.accept(NO_ANSWER));
			}
		}
	}

	/** What was sent arrives, even if its sender has ended. */
	private void arrive(long nanos, Step.Call call, Consumer<Answer> then) {
		this.time.at(nanos, () -> then.accept(carryOut(call)));
	}

	private long latency() {
		return 1_000_000 + (long) (this.random.nextDouble() * 4e6);
	}

	private Answer carryOut(Step.Call call) {
		this.answered = true;
		if (call instanceof Step.Read read) {
			this.reads++;
			this.readUnits += read.consistent() ? 1 : 0.5;
		}
		else {
			this.writes++;
		}
		Answer answer = this.store.send(call);
		if (answer instanceof Answer.Applied) {
			this.lastWrite = this.time.nanos();
			if (call instanceof Step.Write write && !(write.write() instanceof LockWrite.Renew)) {
				this.onApplied.accept(write.write());
			}
		}
		return answer;
	}

	@Override
	public LockStore store() {
		return new LockStore() {

			@Override
			public Answer send(Step.Call call) {
				return carryOut(call);
			}

			@Override
			public Spliterator<List<LockRecord>> list(ListRequest request, Runnable openCheck,
					Consumer<Runnable> slots) {
				return SimulatedProcess.this.store.list(request, openCheck, slots);
			}

			/** Answers carry whole seconds. */
			@Override
			public Optional<ServiceTime> serviceTime() {
				Instant now = SimulatedProcess.this.time.now();
				return SimulatedProcess.this.answered
						? Optional.of(new ServiceTime(now.minusMillis(500), now.plusMillis(500))) : Optional.empty();
			}

		};
	}

	@Override
	public Executor listeners() {
		return Runnable::run;
	}

	@Override
	public void close(Duration timeout, Runnable abandoning) {
		end();
	}

	@Override
	public String toString() {
		return this.name;
	}

	/** What lies between all processes and the table. */
	static final class Network {

		private final double trouble;

		private long outageUntil;

		private long delayedUntil;

		private int troubled;

		private boolean calm;

		Network(double trouble) {
			this.trouble = trouble;
		}

		void fail(SimulatedTime time, Duration duration) {
			this.outageUntil = time.nanos() + duration.toNanos();
		}

		/** Calls of the next seconds may arrive a minute later. */
		void delay(SimulatedTime time) {
			this.delayedUntil = time.nanos() + SimulatedJobs.INTERVAL.toNanos();
		}

		boolean isOut(SimulatedTime time) {
			return time.nanos() < this.outageUntil;
		}

		void calmDown() {
			this.calm = true;
			this.outageUntil = 0;
		}

		double trouble() {
			return this.calm ? 0 : this.trouble;
		}

		int troubled() {
			return this.troubled;
		}

	}

}
