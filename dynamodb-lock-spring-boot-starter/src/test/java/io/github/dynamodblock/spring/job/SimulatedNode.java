/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
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
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.runtime.Releases;
import org.jspecify.annotations.Nullable;

/**
 * One process of the application with its scheduler, which has one thread. It does what
 * the starter's advice does, without blocking: {@link JobRuns} decides, and a real lock
 * client acquires and releases.
 */
final class SimulatedNode implements JobListener, JobExecutor {

	static final LockKey KEY = LockKey.of("job");

	private final SimulatedJobs jobs;

	private final JobChecks checks;

	private final Random random;

	private final SimulatedProcess process;

	private final LockedJob job;

	private final LockedJobs known = new LockedJobs();

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

	private @Nullable Body body;

	/** How the last run on this node has ended. */
	private @Nullable JobOutcome outcome;

	private @Nullable Moment doom;

	SimulatedNode(SimulatedJobs jobs, SimulatedProcess process, JobSchedule schedule) {
		this.jobs = jobs;
		this.checks = jobs.checks();
		this.random = jobs.random();
		this.process = process;
		this.job = new LockedJob("job", KEY, false, "Job.run()", schedule, jobs.scenario().attempts(),
				jobs.scenario().onMissed(), jobs.scenario().holdAtMost(), process.client());
		this.runs = new JobRuns("simulated", new SimulatedClock(process), List.of(this), this.known);
	}

	@Override
	public void runNow(LockedJob called) {
		throw new UnsupportedOperationException();
	}

	void begin() {
		this.process.onApplied((write) -> this.jobs.applied(this.job, write));
		open();
		boolean cron = this.job.schedule() instanceof JobSchedule.Cron;
		awaitTick(cron ? this.process.wallClock() : this.process.wallClock().minusMillis(this.random.nextInt(10_000)));
	}

	private void open() {
		submit(() -> {
			try {
				this.nothingToWatch = false;
				this.known.add(this.job, this);
				this.runs.open(this);
			}
			catch (LockException ex) {
				this.checks.count("nodes that came up without a record");
				this.process.later(Duration.ofSeconds(10), this::open);
			}
		});
	}

	/** As Spring's scheduler does: the next fire time after the last call. */
	private void awaitTick(Instant after) {
		Instant next = this.job.schedule().next(after).orElseGet(() -> after.plus(SimulatedJobs.INTERVAL));
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
		boolean others = this.random.nextDouble() < this.jobs.scenario().busy();
		Duration delay = Duration.ofMillis(this.random.nextInt(others ? 9_000 : 5));
		this.process.later(delay, () -> {
			this.tasks.add(task);
			next();
		});
	}

	private void next() {
		while (!this.busy && !this.tasks.isEmpty()) {
			this.tasks.remove().run();
		}
	}

	private void free() {
		this.busy = false;
		next();
	}

	private void tick() {
		if (!this.jobs.isOver()) {
			this.planned = 0;
			this.nothingToWatch = false;
			this.runs.tick(this.job, this)
				.ifPresentOrElse(this::claim, () -> this.checks.count("ticks refused by the clock"));
		}
	}

	@Override
	public Runnable later(Duration delay, Runnable task) {
		boolean[] over = { false };
		Runnable ended = () -> {
			this.watches -= over[0] ? 0 : 1;
			over[0] = true;
		};
		this.watches++;
		this.process.later(delay, () -> submit(() -> {
			if (!over[0]) {
				ended.run();
				task.run();
			}
		}));
		return ended;
	}

	@Override
	public void call(JobCall call) {
		if (this.nothingToWatch && this.planned++ > 0) {
			this.checks.violation("a node goes on watching a job in which nothing is to be done: " + call.run());
		}
		claim(call);
	}

	private void claim(JobCall call) {
		JobRun run = Objects.requireNonNull(call.run());
		if (this.closing) {
			this.checks.violation("a node that is closed starts a run: " + run);
		}
		this.checks.note(this.process, "claims", run);
		this.checks.claims(run);
		acquire(call);
	}

	/** The application calls the method itself, or an operator does. */
	void callPlainly() {
		submit(() -> {
			if (!this.closing) {
				acquire(this.runs.call(this.job));
			}
		});
	}

	/** Another method of the application locks the same key, as if it had no job. */
	@SuppressWarnings("FutureReturnValueIgnored") // what it completes throws nothing
	void holdBesideTheJob(boolean deletes) {
		submit(() -> {
			if (this.closing) {
				return;
			}
			this.busy = true;
			LockRequest request = LockRequest.of(KEY).waitTime(Duration.ZERO).deleteOnRelease(deletes);
			CompletableFuture<HeldLock> granted = this.process.client()
				.acquireAsync(request, (task) -> this.process.later(Duration.ofMillis(1), task));
			this.claim = granted;
			granted.whenComplete((lock, failure) -> {
				this.claim = null;
				if (lock == null) {
					free();
				}
				else if (!dies(Moment.BEFORE_BODY)) {
					this.checks.count("holders beside the job");
					this.process.later(Duration.ofMillis(this.random.nextInt(3_000)),
							() -> Releases.begin(lock, ReleaseRequest.create())
								.whenComplete((result, problem) -> free()));
				}
			});
		});
	}

	private LockRequest request() {
		LockRequest request = LockRequest.of(KEY)
			.waitTime(Duration.ZERO)
			.holdAtLeast(this.jobs.scenario().holdAtLeast());
		Duration limit = this.job.limit();
		return (limit != null) ? request.holdAtMost(limit) : request;
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what it completes throws nothing
	private void acquire(JobCall call) {
		this.busy = true;
		CompletableFuture<HeldLock> granted = this.process.client()
			.acquireAsync(call.claim(request()), (task) -> this.process.later(Duration.ofMillis(1), task));
		this.claim = granted;
		granted.whenComplete((lock, failure) -> {
			this.claim = null;
			if (lock != null) {
				granted(call, lock);
			}
			else {
				refused(call, (failure instanceof CompletionException) ? Objects.requireNonNull(failure.getCause())
						: failure);
			}
		});
	}

	private void refused(JobCall call, Throwable failure) {
		this.checks.note(this.process, "is refused", failure);
		this.nothingToWatch = false;
		boolean later = failure instanceof RuntimeException refusal && call.refused(refusal);
		JobRun run = call.run();
		if (run == null) {
			this.checks.count("plain calls that were refused");
		}
		else if (failure instanceof LockNotGrantedException refusal) {
			this.nothingToWatch = refusal.record()
				.map(JobRecord::of)
				.filter((record) -> record.isFinished() && record.tick().equals(Optional.of(run.tick())))
				.isPresent() && this.job.schedule() instanceof JobSchedule.Cron;
		}
		else if (!later && !this.closing) {
			this.checks.violation("a claim failed unexpectedly: " + failure);
		}
		free();
	}

	private void granted(JobCall call, HeldLock lock) {
		JobRun run = call.run();
		this.checks.note(this.process, "is granted", (run != null) ? run + " " + run.end() : "a plain lock");
		if (dies(Moment.BEFORE_BODY)) {
			return;
		}
		if (!lock.isHeld()) {
			// No lock protects a body that begins after such a pause of the process.
			this.checks.count("leases that expired before the body began");
			free();
			return;
		}
		if (this.jobs.running().isPresent()) {
			this.checks.twoBodies();
		}
		this.nothingToWatch = false;
		call.started(lock);
		Body begun = new Body(call, lock, (run != null) ? this.checks.wall(run) : this.process.wallClock());
		this.body = begun;
		if (run == null) {
			this.checks.count("plain calls");
		}
		else if (run.end() != null) {
			this.checks.count("recorded as " + run.end());
			end(begun, null);
			return;
		}
		else {
			begun(begun, run);
		}
		boolean longer = this.random.nextInt(20) == 0;
		Duration duration = Duration.ofMillis(this.random.nextInt(longer ? 15_000 : 1_500));
		boolean fails = this.random.nextInt(10) == 0;
		this.process.later(duration, () -> end(begun, fails ? new IllegalStateException("no paper") : null));
	}

	private void begun(Body begun, JobRun run) {
		this.checks.started(run);
		if (run.isRerun()) {
			this.jobs.runsAgain(this);
		}
		Duration limit = this.job.limit();
		if (limit != null) {
			boolean unrecorded = this.random.nextInt(3) == 0;
			this.process.later(limit.minusMillis(5), () -> {
				if (unrecorded && begun.equals(this.body)) {
					this.process.cutOff(Duration.ofSeconds(8));
				}
			});
			this.process.later(limit.plusMillis(1), () -> reachesLimit(begun, run, begun.began.plus(limit)));
		}
	}

	/**
	 * The body goes on beyond its limit. After a pause of the process, the lease may have
	 * expired before, and what it wrote by a clock that was set back does not show the
	 * limit.
	 */
	private void reachesLimit(Body late, JobRun run, Instant limit) {
		boolean known = !this.checks.wall(run).isAfter(limit.plusMillis(2))
				&& !this.process.wallClock().isBefore(limit.minusMillis(2));
		if (known && late.equals(this.body)
				&& late.lock.lossReason().filter(LossReason.HELD_TOO_LONG::equals).isPresent()) {
			this.checks.count("runs over their limit");
			this.checks.ended(run);
			this.checks.finished(run);
		}
	}

	/** The body has ended, by itself or by the shutdown. */
	@SuppressWarnings("FutureReturnValueIgnored") // what it completes throws nothing
	private void end(Body ending, @Nullable Throwable failure) {
		if (!ending.equals(this.body) || dies(Moment.AFTER_BODY)) {
			return;
		}
		this.body = null;
		JobRun run = ending.call.run();
		ReleaseRequest request = ending.call.ended(failure);
		Instant ended = (run != null) ? this.checks.wall(run) : null;
		if (run != null) {
			this.checks.ended(run);
		}
		boolean over = run != null && run.end() == null
				&& (this.outcome != JobOutcome.INTERRUPTED || this.job.attempts() == 1);
		CompletableFuture<ReleaseOutcome> released = Releases.begin(ending.lock, request);
		if (dies(Moment.AFTER_RELEASE)) {
			return;
		}
		released.whenComplete((result, problem) -> {
			this.checks.note(this.process, "has released", result + " " + problem);
			if (over && result == ReleaseOutcome.KEPT) {
				this.checks.finished(Objects.requireNonNull(run));
			}
			if (over && result == ReleaseOutcome.RELEASED) {
				this.checks.spaced(this.job, ending.began, Objects.requireNonNull(ended));
			}
			free();
		});
	}

	private boolean dies(Moment moment) {
		if (this.doom == moment && !this.jobs.isSettling()) {
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
		running().ifPresent((run) -> this.checks.ended(run));
		this.body = null;
		this.process.end();
		this.watches = 0;
	}

	/** The context closes: claims are interrupted, and bodies that respond to that. */
	void shutDown() {
		this.checks.note(this.process, "shuts down", "");
		this.closing = true;
		this.runs.close();
		Body interrupted = this.body;
		if (interrupted != null && (this.jobs.scenario().calm() || this.random.nextInt(3) > 0)) {
			this.checks.count("interrupted by a shutdown");
			this.process.later(Duration.ofMillis(this.random.nextInt(50)), () -> {
				this.runs.interrupt();
				end(interrupted, new InterruptedException("shutdown"));
			});
		}
		CompletableFuture<HeldLock> pending = this.claim;
		if (pending != null) {
			pending.cancel(true);
		}
		this.process.later(Duration.ofMillis(1_500), this.process::closeClient);
	}

	boolean isAlive() {
		return this.alive && !this.closing;
	}

	/** Whether a body is under way, which may go on after the lock client has closed. */
	boolean isBusy() {
		return this.body != null;
	}

	/** How many timers of watches wait. */
	int watches() {
		return this.watches;
	}

	SimulatedProcess process() {
		return this.process;
	}

	LockedJob job() {
		return this.job;
	}

	/** The run under way, if its body has begun and its lock is held. */
	Optional<JobRun> running() {
		return Optional.ofNullable(this.body)
			.filter((each) -> each.lock.isHeld())
			.flatMap((each) -> Optional.ofNullable(each.call.run()));
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof JobMissedEvent missed) {
			this.checks.missed(missed.ticks());
		}
		else if (event instanceof JobCrashedEvent crashed) {
			this.checks.crashed(crashed.tick(), crashed.rerun());
		}
		else if (event instanceof JobFinishedEvent finished) {
			this.outcome = finished.outcome();
		}
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

	/**
	 * A call of the method whose lock was granted.
	 *
	 * @param began when it began, by the node's clock
	 */
	private record Body(JobCall call, HeldLock lock, Instant began) {
	}

}
