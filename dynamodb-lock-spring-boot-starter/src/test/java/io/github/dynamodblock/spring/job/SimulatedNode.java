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
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.runtime.Releases;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;

/**
 * One process of the application with its scheduler, which has one thread. It does what
 * the starter's advice does, without blocking: {@link JobRuns} decides, and a real lock
 * client acquires and releases.
 */
final class SimulatedNode implements JobListener {

	static final LockKey KEY = LockKey.of("job");

	private final SimulatedJobs jobs;

	private final JobChecks checks;

	private final Random random;

	private final SimulatedProcess process;

	private final LockedJob job;

	private final JobRuns runs;

	/** What the scheduler's thread has to do once it is free. */
	private final Deque<Runnable> tasks = new ArrayDeque<>();

	private boolean busy;

	private boolean alive = true;

	private boolean closing;

	/** Whether the last refusal has shown that there is nothing to watch. */
	private boolean nothingToWatch;

	/** Starts since then: one may have been planned before. */
	private int planned;

	private int watches;

	private @Nullable CompletableFuture<HeldLock> claim;

	private @Nullable Running running;

	/** What the release that is sent ends. */
	private @Nullable JobRun releasing;

	private @Nullable Moment doom;

	SimulatedNode(SimulatedJobs jobs, SimulatedProcess process, JobSchedule schedule) {
		this.jobs = jobs;
		this.checks = jobs.checks();
		this.random = jobs.random();
		this.process = process;
		this.job = new LockedJob("job", KEY, "Job.run()", schedule, jobs.scenario().onCrash(), 3,
				jobs.scenario().onMissed(), process.client());
		Clock clock = new NodeClock(process);
		this.runs = new JobRuns(new CheckedJobClock(clock, Duration.ofSeconds(30)), this::schedule, this);
	}

	void begin() {
		this.process.onReleased(() -> {
			if (this.releasing != null) {
				this.checks.finished(this.releasing);
			}
		});
		submit(() -> {
			Optional<JobLedger> ledger = Optional.empty();
			try {
				ledger = this.job.ledger();
			}
			catch (LockException ex) {
				this.checks.count("nodes that came up without a ledger");
			}
			this.nothingToWatch = false;
			this.runs.open(this.job, ledger, this::start);
			free();
		});
		awaitTick(this.process.wallClock());
	}

	/** The watches of a closed node may not lead to anything; only their timers go on. */
	private void schedule(Duration delay, Runnable task) {
		this.watches++;
		this.process.later(delay, () -> {
			this.watches--;
			task.run();
		});
	}

	/** As Spring's scheduler does: the next fire time after the last call. */
	private void awaitTick(Instant after) {
		Instant next = this.job.schedule().next(after, JobLedger.of(Map.of())).orElseThrow();
		long early = this.random.nextInt(this.jobs.scenario().timerError()) - 5L;
		Duration delay = Duration.between(this.process.wallClock(), next).plusMillis(early);
		this.process.later(delay, () -> submit(() -> {
			tick();
			Instant now = this.process.wallClock();
			awaitTick(now.isBefore(next) ? next : now);
		}));
	}

	/** Other jobs of the application keep the thread from this one at times. */
	private void submit(Runnable task) {
		if (this.closing) {
			return;
		}
		boolean others = this.random.nextDouble() < this.jobs.scenario().busy();
		Duration delay = Duration.ofMillis(this.random.nextInt(others ? 9_000 : 5));
		this.process.later(delay, () -> {
			this.tasks.add(task);
			next();
		});
	}

	private void next() {
		if (!this.busy && !this.closing && !this.tasks.isEmpty()) {
			this.busy = true;
			this.tasks.remove().run();
		}
	}

	private void free() {
		this.busy = false;
		next();
	}

	private void tick() {
		if (this.jobs.isOver()) {
			free();
			return;
		}
		try {
			Optional<JobStart> start = this.runs.tick(this.job, this::start);
			this.planned = 0;
			this.nothingToWatch = false;
			start.ifPresentOrElse(this::claim, () -> {
				this.checks.count("ticks refused by the clock");
				free();
			});
		}
		catch (LockStoreException ex) {
			this.nothingToWatch = false;
			free();
		}
	}

	private void start(JobStart start) {
		if (this.closing) {
			this.checks.violation("a node that is closed starts a run: " + start.run());
		}
		if (this.nothingToWatch && this.planned++ > 0) {
			this.checks.violation("a node goes on watching a job in which nothing is to be done: " + start.run());
		}
		submit(() -> this.runs.begin(start).ifPresentOrElse(this::claim, this::free));
	}

	/** An operator starts the job outside of its schedule. */
	void runNow() {
		this.nothingToWatch = false;
		try {
			this.runs.runNow(this.job, this::start);
		}
		catch (LockException | IllegalStateException ex) {
			this.checks.count("manual runs that were refused");
		}
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what it completes throws nothing
	private void claim(JobStart start) {
		LockRequest plain = LockRequest.of(KEY).waitTime(Duration.ZERO).awaitSilentOwner(true);
		CompletableFuture<HeldLock> granted = this.process.client()
			.acquireAsync(start.claim(plain, this.process.toString()),
					(task) -> this.process.later(Duration.ofMillis(1), task));
		this.claim = granted;
		this.releasing = null;
		this.checks.note(this.process, "claims", start.run());
		granted.whenComplete((lock, failure) -> {
			this.claim = null;
			if (lock != null) {
				granted(start, lock);
			}
			else {
				refused(start, failure);
			}
		});
	}

	private void refused(JobStart start, Throwable failure) {
		this.checks.note(this.process, "is refused", failure);
		Throwable cause = (failure instanceof CompletionException) ? Objects.requireNonNull(failure.getCause())
				: failure;
		if (cause instanceof LockNotGrantedException refusal) {
			this.runs.refused(start, refusal);
			this.nothingToWatch = refusal.holder()
				.map(JobLedger::of)
				.filter((ledger) -> ledger.isFinished() && ledger.isTickFinished() && ledger.paused().isEmpty())
				.isPresent() && this.job.onMissed() != OnMissed.RUN_ONCE;
		}
		else if (cause instanceof LockStoreException) {
			this.nothingToWatch = false;
			this.runs.failed(start);
		}
		else if (!this.closing) {
			this.checks.violation("a claim failed unexpectedly: " + cause);
		}
		free();
	}

	private void granted(JobStart start, HeldLock lock) {
		this.checks.note(this.process, "is granted", start.run());
		if (dies(Moment.BEFORE_BODY)) {
			return;
		}
		this.nothingToWatch = false;
		this.runs.started(start, lock.record());
		Running begun = new Running(start, lock);
		this.running = begun;
		this.checks.started(start.run());
		if (start.isRerun()) {
			this.jobs.runsAgain(this);
		}
		boolean longer = this.random.nextInt(20) == 0;
		Duration duration = Duration.ofMillis(this.random.nextInt(longer ? 15_000 : 1_500));
		boolean fails = this.random.nextInt(10) == 0;
		this.process.later(duration, () -> end(begun, fails ? new IllegalStateException("no paper") : null));
	}

	/** The body has ended, by itself or by the shutdown. */
	@SuppressWarnings("FutureReturnValueIgnored") // what it completes throws nothing
	private void end(Running ending, @Nullable Throwable failure) {
		if (!ending.equals(this.running) || dies(Moment.AFTER_BODY)) {
			return;
		}
		this.running = null;
		JobRun run = ending.start.run();
		boolean interrupted = this.closing && failure != null && !run.manual() && this.job.onCrash() == OnCrash.RERUN
				&& run.attempt() < this.job.attempts();
		if (!interrupted) {
			this.checks.ended(run);
		}
		// A lock that is lost is freed without the end: the run counts as crashed.
		this.releasing = (interrupted || !ending.lock.isHeld()) ? null : run;
		CompletableFuture<ReleaseOutcome> released = Releases.begin(ending.lock,
				this.runs.ended(ending.start, failure));
		if (dies(Moment.AFTER_RELEASE)) {
			return;
		}
		released.whenComplete((outcome, problem) -> {
			this.checks.note(this.process, "has released", run + " " + interrupted + " " + outcome + " " + problem);
			free();
		});
	}

	private boolean dies(Moment moment) {
		if (this.doom == moment) {
			this.checks.count("killed " + moment);
			this.doom = null;
			this.jobs.crash(this);
			return true;
		}
		return false;
	}

	/** Kills this node when it is there. */
	void doom(Moment moment) {
		this.doom = moment;
	}

	/** The process ends at once. */
	void crash() {
		this.checks.note(this.process, "ends", "");
		this.alive = false;
		this.process.end();
		this.watches = 0;
	}

	/** The context closes: bodies and claims are interrupted. */
	void shutDown() {
		this.closing = true;
		this.runs.close();
		this.tasks.clear();
		Running interrupted = this.running;
		if (interrupted != null) {
			this.checks.count("interrupted by a shutdown");
			this.process.later(Duration.ofMillis(this.random.nextInt(50)),
					() -> end(interrupted, new InterruptedException("shutdown")));
		}
		CompletableFuture<HeldLock> pending = this.claim;
		if (pending != null) {
			pending.cancel(true);
		}
	}

	/** Writes a change under the lock, as {@link LockedJob#pause} does. */
	CompletableFuture<ReleaseOutcome> change(ItemChange change) {
		LockRequest request = LockRequest.of(KEY).waitTime(Duration.ofSeconds(20)).keepItem(true).change(change);
		return this.process.client()
			.acquireAsync(request, Runnable::run)
			.thenCompose((lock) -> Releases.begin(lock, ReleaseRequest.create()));
	}

	boolean isAlive() {
		return this.alive && !this.closing;
	}

	/** How many timers of watches wait. */
	int watches() {
		return this.watches;
	}

	SimulatedProcess process() {
		return this.process;
	}

	/** The run under way, if its body has begun. */
	Optional<JobRun> running() {
		return Optional.ofNullable(this.running).map((each) -> each.start.run());
	}

	@Override
	public void onMissed(LockedJob missed, List<Instant> ticks, boolean runOnce) {
		this.checks.missed(ticks);
	}

	@Override
	public void onCrashed(JobRun run, boolean rerun) {
		this.checks.crashed(run);
	}

	/** When a node is killed, apart from any time. */
	enum Moment {

		/** The lock is granted. */
		BEFORE_BODY,

		/** Nothing of the end is sent. */
		AFTER_BODY,

		/** The end is on its way. */
		AFTER_RELEASE

	}

	/** A body. */
	private record Running(JobStart start, HeldLock lock) {
	}

	/** The wall clock of a process. */
	private static final class NodeClock extends Clock {

		private final SimulatedProcess process;

		NodeClock(SimulatedProcess process) {
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
			throw new UnsupportedOperationException("Not needed");
		}

	}

}
