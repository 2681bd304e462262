/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.runtime.Releases;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.store.DynamoDbLockStore;
import org.jspecify.annotations.Nullable;

/**
 * A node with one job and a real lock client in virtual time. A test is its scheduler and
 * its bodies.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the events show what fails
final class HandDrivenNode implements JobExecutor, JobClock, JobListener {

	static final LockKey KEY = LockKey.of("report");

	private final SimulatedTime time;

	private final SimulatedProcess process;

	private final SimulatedProcess.Network network = new SimulatedProcess.Network(0);

	private final LockedJob job;

	private final JobRuns runs = new JobRuns(this, List.of(this));

	private final JobClock clock;

	private final List<String> events = new ArrayList<>();

	private final Deque<Body> bodies = new ArrayDeque<>();

	private final List<Duration> durations = new ArrayList<>();

	private LockRequest plain;

	private boolean trusting;

	private HandDrivenNode(String name, Nodes nodes) {
		this.time = nodes.time;
		this.process = new SimulatedProcess(name, nodes.time, nodes.store, new Random(1), this.network,
				nodes.clockError);
		this.job = new LockedJob("report", KEY, nodes.keyed, "Reports.make()", nodes.schedule, nodes.attempts,
				OnMissed.SKIP, nodes.holdAtMost, this.process.client());
		this.plain = (nodes.holdAtMost != null) ? LockRequest.of(KEY).holdAtMost(nodes.holdAtMost)
				: LockRequest.of(KEY);
		this.clock = new CheckedJobClock(new WallClock(this.process), Duration.ofSeconds(30));
	}

	JobRuns runs() {
		return this.runs;
	}

	SimulatedProcess process() {
		return this.process;
	}

	LockedJob job() {
		return this.job;
	}

	/** What has happened since the last call. */
	List<String> events() {
		List<String> all = List.copyOf(this.events);
		this.events.clear();
		return all;
	}

	/** How long bodies took, in the order of their ends. */
	List<Duration> durations() {
		return this.durations;
	}

	/** From now on, the method has such an annotation. */
	void annotate(LockRequest request) {
		this.plain = request;
	}

	/** From now on, the clock is not compared with DynamoDB's. */
	void trustClock() {
		this.trusting = true;
	}

	/** The node comes up. */
	void open() {
		this.runs.open(this.job, this);
	}

	/** Spring's scheduler calls. */
	void tick() {
		this.runs.tick(this.job, this).ifPresent(this::call);
	}

	/** The oldest body ends. */
	void end(@Nullable Throwable failure) {
		this.bodies.remove().end(failure);
	}

	/** Nothing that the node sends arrives for some time. */
	void cutOff(Duration duration) {
		this.network.fail(this.time, duration);
	}

	void crash() {
		this.process.end();
	}

	/** Calls the method under its plain lock. */
	CompletableFuture<HeldLock> callPlainly() {
		return this.process.client().acquireAsync(this.plain, Runnable::run);
	}

	/** Claims a tick, and leaves before an answer has arrived. */
	void abandonTick() {
		JobStart start = this.runs.tick(this.job, this).orElseThrow();
		this.process.client().acquireAsync(start.claim(this.plain), Runnable::run).cancel(false);
	}

	@Override
	public Runnable later(Duration delay, Runnable task) {
		return this.process.later(delay, task)::cancel;
	}

	@Override
	public void call(JobStart start) {
		this.process.client().acquireAsync(start.claim(this.plain), Runnable::run).whenComplete((lock, failure) -> {
			if (lock != null) {
				granted(start, lock);
			}
			else {
				refused(start, Objects.requireNonNull(failure));
			}
		});
	}

	private void granted(JobStart start, HeldLock lock) {
		Body body = new Body(this.runs.started(start, lock), lock);
		if (start.end() != null) {
			body.end(null);
		}
		else {
			this.bodies.add(body);
		}
	}

	private void refused(JobStart start, Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? Objects.requireNonNull(failure.getCause())
				: failure;
		if (cause instanceof LockNotGrantedException refusal) {
			this.runs.refused(start, refusal);
		}
		else {
			this.runs.failed(start, (LockException) cause);
		}
	}

	@Override
	public Instant now() {
		return this.process.wallClock();
	}

	@Override
	public long nanoTime() {
		return this.time.nanos();
	}

	@Override
	public Optional<Instant> checked(LockedJob checked) {
		return this.trusting ? Optional.of(now()) : this.clock.checked(checked);
	}

	@Override
	public void onStarted(JobRun run) {
		this.events.add("started " + name(run.tick()) + " #" + run.attempt());
	}

	@Override
	public void onFinished(JobRun run, Duration duration, JobOutcome outcome, @Nullable Throwable failure) {
		this.events.add(outcome + " " + name(run.tick()));
		this.durations.add(duration);
	}

	@Override
	public void onCrashed(LockedJob crashed, Instant tick, boolean rerun) {
		this.events.add("crashed " + name(tick) + (rerun ? ", rerun" : ""));
	}

	@Override
	public void onMissed(LockedJob late, List<Instant> ticks, boolean runOnce) {
		this.events.add("missed " + ticks.stream().map(HandDrivenNode::name).toList());
	}

	/** The minute of a tick. */
	private static String name(Instant tick) {
		return "0:" + Duration.between(SimulatedTime.BEGIN, tick).toMinutes();
	}

	private record Body(JobRuns.Running running, HeldLock lock) {

		void end(@Nullable Throwable failure) {
			Releases.begin(this.lock, this.running.ended(failure));
		}

	}

	/** Nodes of one table. */
	static final class Nodes {

		private final SimulatedTime time;

		private final DynamoDbLockStore store;

		private JobSchedule schedule = JobSchedule.cron("0 * * * * *", ZoneOffset.UTC);

		private boolean keyed;

		private int attempts = 3;

		private @Nullable Duration holdAtMost;

		private Duration clockError = Duration.ZERO;

		private int count;

		Nodes(SimulatedTime time, DynamoDbLockStore store) {
			this.time = time;
			this.store = store;
		}

		Nodes schedule(JobSchedule schedule) {
			this.schedule = schedule;
			return this;
		}

		Nodes attempts(int attempts) {
			this.attempts = attempts;
			return this;
		}

		/** The job has a lock for each value of an expression. */
		Nodes keyed() {
			this.keyed = true;
			return this;
		}

		Nodes holdAtMost(Duration holdAtMost) {
			this.holdAtMost = holdAtMost;
			return this;
		}

		/** The clock of the nodes that come up from now on. */
		Nodes clockError(Duration clockError) {
			this.clockError = clockError;
			return this;
		}

		HandDrivenNode up() {
			return new HandDrivenNode("node-" + ++this.count, this);
		}

	}

	/** That of a process. */
	private static final class WallClock extends Clock {

		private final SimulatedProcess process;

		WallClock(SimulatedProcess process) {
			this.process = process;
		}

		@Override
		public Instant instant() {
			return this.process.wallClock();
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException();
		}

	}

}
