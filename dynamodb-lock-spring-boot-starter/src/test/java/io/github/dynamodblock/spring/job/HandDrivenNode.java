/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
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
final class HandDrivenNode implements JobExecutor, JobListener {

	static final LockKey KEY = LockKey.of("report");

	private final SimulatedTime time;

	private final SimulatedProcess process;

	private final SimulatedProcess.Network network = new SimulatedProcess.Network(0);

	private LockedJob job;

	private final LockedJobs jobs = new LockedJobs();

	private final JobRuns runs;

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
				nodes.onMissed, nodes.holdAtMost, this.process.client());
		this.plain = (nodes.holdAtMost != null) ? LockRequest.of(KEY).holdAtMost(nodes.holdAtMost)
				: LockRequest.of(KEY);
		this.runs = new JobRuns("simulated", new SimulatedClock(this.process) {

			@Override
			public Optional<Reading> checked(LockedJob checked) {
				return HandDrivenNode.this.trusting ? Optional.of(read(checked)) : super.checked(checked);
			}

		}, List.of(nodes.listener, this), this.jobs);
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

	LockedJobs jobs() {
		return this.jobs;
	}

	/** From now on, the job's key expression has this value. */
	void has(LockKey key) {
		declare(key, true, this.job.schedule());
		this.plain = LockRequest.of(key);
	}

	/** A new bean of the job has another schedule. */
	void has(JobSchedule schedule) {
		declare(this.job.key(), this.job.keyed(), schedule);
	}

	private void declare(LockKey key, boolean keyed, JobSchedule schedule) {
		this.job = new LockedJob(this.job.name(), key, keyed, this.job.location(), schedule, this.job.attempts(),
				this.job.onMissed(), this.job.holdAtMost(), this.job.client());
	}

	/** The record is read at last, of the job that the bean has by then. */
	void read() {
		this.runs.open(this);
	}

	/** The bean is destroyed. */
	void destroy() {
		this.jobs.remove(this);
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
		this.jobs.add(this.job, this);
		this.runs.open(this);
	}

	/** Spring's scheduler calls. */
	void tick() {
		this.runs.tick(this.job, this).ifPresent(this::call);
	}

	/** The oldest body ends. */
	void end(@Nullable Throwable failure) {
		this.bodies.remove().end(failure);
	}

	/** Whether a body has not ended. */
	boolean isRunning() {
		return !this.bodies.isEmpty();
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
		JobCall call = this.runs.tick(this.job, this).orElseThrow();
		this.process.client().acquireAsync(call.claim(this.plain), Runnable::run).cancel(false);
	}

	/** Claims a tick whose body never begins. */
	void claimWithoutBody() {
		JobCall call = this.runs.tick(this.job, this).orElseThrow();
		this.process.client()
			.acquireAsync(call.claim(this.plain), Runnable::run)
			.thenAccept((lock) -> Releases.begin(lock, call.ended(new IllegalStateException("not begun"))));
	}

	@Override
	public void fire(Runnable ended) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void runNow(LockedJob called) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Runnable later(Duration delay, Runnable task) {
		return this.process.later(delay, task)::cancel;
	}

	@Override
	public void call(JobCall call) {
		this.process.client().acquireAsync(call.claim(this.plain), Runnable::run).whenComplete((lock, failure) -> {
			if (lock != null) {
				granted(call, lock);
			}
			else {
				refused(call, Objects.requireNonNull(failure));
			}
		});
	}

	private void granted(JobCall call, HeldLock lock) {
		call.started(lock);
		Body body = new Body(call, lock);
		if (Objects.requireNonNull(call.run()).end() != null) {
			body.end(null);
		}
		else {
			this.bodies.add(body);
		}
	}

	private static void refused(JobCall call, Throwable failure) {
		call.refused((LockException) ((failure instanceof CompletionException)
				? Objects.requireNonNull(failure.getCause()) : failure));
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof JobStartedEvent started) {
			this.events.add("started " + name(started.tick()) + " #" + started.attempt());
		}
		else if (event instanceof JobFinishedEvent finished) {
			this.events.add(finished.outcome() + " " + name(finished.tick()));
			this.durations.add(finished.duration());
		}
		else if (event instanceof JobCrashedEvent crashed) {
			this.events.add("crashed " + name(crashed.tick()) + (crashed.rerun() ? ", rerun" : ""));
		}
		else if (event instanceof JobMissedEvent missed) {
			this.events.add("missed " + missed.ticks().stream().map(HandDrivenNode::name).toList());
		}
	}

	/** The minute of a tick. */
	private static String name(Instant tick) {
		return "0:" + Duration.between(SimulatedTime.BEGIN, tick).toMinutes();
	}

	private record Body(JobCall call, HeldLock lock) {

		void end(@Nullable Throwable failure) {
			Releases.begin(this.lock, this.call.ended(failure));
		}

	}

	/** Nodes of one table. */
	static final class Nodes {

		private final SimulatedTime time = new SimulatedTime();

		private final DynamoDbLockStore store;

		private JobSchedule schedule = JobSchedule.cron("0 * * * * *", ZoneOffset.UTC);

		private boolean keyed;

		private int attempts = 3;

		private OnMissed onMissed = OnMissed.SKIP;

		private @Nullable Duration holdAtMost;

		private Duration clockError = Duration.ZERO;

		private JobListener listener = (event) -> {
		};

		private int count;

		Nodes(DynamoDbLockStore store) {
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

		Nodes onMissed(OnMissed onMissed) {
			this.onMissed = onMissed;
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

		/** Is called before the nodes that come up from now on. */
		Nodes listener(JobListener listener) {
			this.listener = listener;
			return this;
		}

		/** The clock of the nodes that come up from now on. */
		Nodes clockError(Duration clockError) {
			this.clockError = clockError;
			return this;
		}

		Instant now() {
			return this.time.now();
		}

		void pass(Duration duration) {
			this.time.pass(duration);
		}

		/** Until a minute after the beginning. */
		void passTo(int minute) {
			pass(Duration.between(now(), SimulatedTime.BEGIN.plus(Duration.ofMinutes(minute))));
		}

		/** A node runs a tick, which takes a second. */
		void run(HandDrivenNode node, int minute) {
			passTo(minute);
			node.tick();
			pass(Duration.ofSeconds(1));
			node.end(null);
			pass(Duration.ofSeconds(1));
		}

		/** A node calls the method under its plain lock, and gets that. */
		HeldLock call(HandDrivenNode node) {
			CompletableFuture<HeldLock> lock = node.callPlainly();
			pass(Duration.ofSeconds(1));
			return lock.join();
		}

		/** The record of the job, as a node that comes up reads it. */
		JobRecord record() {
			return up().job().record().orElseThrow();
		}

		HandDrivenNode up() {
			return new HandDrivenNode("node-" + ++this.count, this);
		}

	}

}
