/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.runtime.Releases;
import org.jspecify.annotations.Nullable;

/**
 * One process of an application with its scheduler and its beans. {@link JobRuns}
 * decides.
 */
final class SimulatedNode implements JobListener {

	/** A node keeps an entry that it has no use for until it makes another one. */
	private static final int MOST_UNUSED = 3;

	private final SimulatedJobs jobs;

	private final JobFindings findings;

	private final Random random;

	private final SimulatedProcess process;

	private final SimulatedApplication application;

	private final LockedJobs known = new LockedJobs();

	private final JobRuns runs;

	private final SimulatedScheduler scheduler;

	/** The beans that have not been destroyed, the latest one last. */
	private final List<SimulatedBean> beans = new ArrayList<>();

	private final Map<LockKey, SimulatedBean.Watch> watched = new HashMap<>();

	private final List<CompletableFuture<HeldLock>> pending = new ArrayList<>();

	/** The calls whose body has begun. */
	private final List<SimulatedCall> calls = new ArrayList<>();

	/** The value of the job's key on this node. */
	private LockKey key;

	/** The schedule of the latest bean, even if that was destroyed. */
	private JobSchedule schedule;

	/** Whether the scheduler has called since the node or its schedule is known. */
	private boolean called;

	private boolean alive = true;

	private boolean closing;

	private boolean stopped;

	private boolean interrupted;

	private int starts;

	private int watches;

	/** How the run that is ending has ended, as reported. */
	private @Nullable JobOutcome outcome;

	private @Nullable Moment doom;

	SimulatedNode(SimulatedJobs jobs, SimulatedProcess process, SimulatedApplication application, LockKey key,
			JobSchedule schedule) {
		this.jobs = jobs;
		this.findings = jobs.findings();
		this.random = jobs.random();
		this.process = process;
		this.application = application;
		this.key = key;
		this.schedule = schedule;
		this.scheduler = new SimulatedScheduler(process, this.random, jobs.scenario().busy(),
				jobs.scenario().threads());
		this.runs = new JobRuns(application.name(), new SimulatedClock(process), List.of(this), this.known);
	}

	/** The node comes up, with its bean or without. */
	void begin(boolean complete) {
		this.process.onApplied((write) -> this.jobs.applied(this, write));
		if (complete) {
			create(this.schedule);
		}
	}

	void create(JobSchedule declared) {
		SimulatedBean bean = new SimulatedBean(this, this.jobs, declared);
		this.beans.add(bean);
		chooseSchedule();
		bean.create();
	}

	/** The context destroys its oldest bean. */
	void destroy() {
		this.beans.remove(0).destroy();
		chooseSchedule();
	}

	/** Ticks of another schedule are not compared. */
	private void chooseSchedule() {
		JobSchedule latest = this.beans.isEmpty() ? this.schedule : this.beans.get(this.beans.size() - 1).schedule();
		this.called &= latest.equals(this.schedule);
		this.schedule = latest;
	}

	boolean hasBean() {
		return !this.beans.isEmpty();
	}

	/** Whether a bean is the one to call, as far as keys that change let it be known. */
	boolean isLatest(SimulatedBean bean) {
		return this.jobs.scenario().has(JobScenario.Feature.KEYS) || this.beans.indexOf(bean) == this.beans.size() - 1;
	}

	LockedJob job(LockKey lock, JobSchedule declared) {
		JobScenario scenario = this.jobs.scenario();
		return new LockedJob("job", lock, scenario.has(JobScenario.Feature.KEYS), this.application.method(), declared,
				scenario.attempts(), scenario.onMissed(), scenario.holdAtMost(), this.process.client());
	}

	/** The job that the application's code and operators see here. */
	LockedJob job() {
		return job(this.key, this.schedule);
	}

	LockKey key() {
		return this.key;
	}

	void setKey(LockKey value) {
		this.key = value;
	}

	SimulatedBean.Watch watch(LockKey lock) {
		return this.watched.computeIfAbsent(lock, (same) -> new SimulatedBean.Watch());
	}

	/** The scheduler calls. */
	void noteCall() {
		this.called |= !isStopped();
	}

	boolean wasCalled() {
		return this.called;
	}

	Runnable later(Duration delay, Runnable task) {
		boolean[] over = { false };
		Runnable ended = () -> {
			this.watches -= over[0] ? 0 : 1;
			over[0] = true;
		};
		this.watches++;
		this.process.later(delay, () -> this.scheduler.submit(() -> {
			if (!over[0]) {
				ended.run();
				task.run();
			}
		}));
		return ended;
	}

	void claim(JobCall call) {
		JobRun run = Objects.requireNonNull(call.run());
		if (isStopped()) {
			this.findings.violation("a node that is closed starts a run: " + run);
		}
		if (!this.jobs.scenario().has(JobScenario.Feature.KEYS) && !run.job().schedule().equals(this.schedule)) {
			this.findings.violation("a run has the schedule of a bean that was replaced: " + run);
		}
		this.findings.note(this.process, "claims", run);
		this.jobs.checks(run.job().key()).claims(run);
		new SimulatedCall(this, this.jobs, call).acquire();
	}

	/** The application calls the method itself, or an operator does. */
	void callPlainly() {
		this.scheduler.submit(() -> {
			if (!this.closing) {
				new SimulatedCall(this, this.jobs, this.runs.call(job())).acquire();
			}
		});
	}

	/** Another method of the application locks the same key, as if it had no job. */
	@SuppressWarnings("FutureReturnValueIgnored") // what it completes throws nothing
	void holdBesideTheJob(boolean deletes) {
		this.scheduler.submit(() -> {
			if (this.closing) {
				return;
			}
			this.scheduler.occupy();
			LockRequest request = LockRequest.of(this.key).waitTime(Duration.ZERO).deleteOnRelease(deletes);
			CompletableFuture<HeldLock> granted = this.process.client()
				.acquireAsync(request, (task) -> this.process.later(Duration.ofMillis(1), task));
			addPending(granted);
			granted.whenComplete((lock, failure) -> {
				removePending(granted);
				if (lock == null) {
					this.scheduler.free();
				}
				else if (!dies(Moment.BEFORE_BODY)) {
					this.findings.count("holders beside the job");
					this.jobs.holdsPlainly();
					this.process.later(Duration.ofMillis(this.random.nextInt(3_000)),
							() -> Releases.begin(lock, ReleaseRequest.create())
								.whenComplete((result, problem) -> this.scheduler.free()));
				}
			});
		});
	}

	/** A call of this node waits for its lock. */
	void addPending(CompletableFuture<HeldLock> granted) {
		this.pending.add(granted);
	}

	void removePending(CompletableFuture<HeldLock> granted) {
		this.pending.removeIf((each) -> each == granted);
	}

	void addCall(SimulatedCall call) {
		this.calls.removeIf((each) -> !each.isUnderWay());
		this.calls.add(call);
	}

	boolean dies(Moment moment) {
		if (this.doom == moment && !this.jobs.isSettling()) {
			this.findings.count("killed " + moment);
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
		this.findings.note(this.process, "ends", "");
		this.alive = false;
		this.calls.forEach(SimulatedCall::crash);
		this.process.end();
		this.watches = 0;
	}

	/** The context closes: claims are interrupted, and bodies that respond to that. */
	void shutDown() {
		this.findings.note(this.process, "shuts down", "");
		this.closing = true;
		this.runs.close();
		Optional<SimulatedCall> under = underWay();
		if (under.isPresent() && (this.jobs.scenario().calm() || this.random.nextInt(3) > 0)) {
			this.findings.count("interrupted by a shutdown");
			this.process.later(Duration.ofMillis(this.random.nextInt(50)), () -> {
				interruptRuns();
				under.get().end(new InterruptedException("shutdown"));
			});
		}
		cancelClaims();
		this.process.later(Duration.ofMillis(1_500), this.process::closeClient);
	}

	/**
	 * The context closes, and awaits the runs before it interrupts them. Some bodies fail
	 * because of what else was closed.
	 */
	void shutDown(Duration awaited) {
		this.findings.note(this.process, "shuts down and awaits runs for", awaited);
		this.findings.count("shutdowns that await runs");
		this.closing = true;
		this.runs.close();
		checkWatches();
		underWay().filter((call) -> this.random.nextBoolean())
			.ifPresent((call) -> this.process.later(Duration.ofMillis(this.random.nextInt((int) awaited.toMillis())),
					() -> call.end(new IllegalStateException("the pool is closed"))));
		this.process.later(awaited, () -> {
			interruptRuns();
			cancelClaims();
			underWay().filter((call) -> this.random.nextInt(3) > 0)
				.ifPresent((call) -> this.process.later(Duration.ofMillis(this.random.nextInt(50)), () -> {
					this.findings.count("interrupted by a shutdown");
					call.end(new InterruptedException("shutdown"));
				}));
		});
		this.process.later(awaited.plusMillis(1_500), this.process::closeClient);
	}

	private void interruptRuns() {
		this.interrupted = true;
		this.runs.interrupt();
	}

	private void cancelClaims() {
		List.copyOf(this.pending).forEach((granted) -> granted.cancel(true));
	}

	/** The context stops, with or without its scheduler. */
	void stop() {
		this.findings.note(this.process, "is stopped", "");
		this.stopped = true;
		this.runs.close();
		checkWatches();
		if (!this.jobs.scenario().calm() && this.random.nextBoolean()) {
			this.scheduler.pause();
		}
	}

	/** The context starts again. */
	void start() {
		this.findings.note(this.process, "is started", "");
		this.stopped = false;
		this.called = false;
		this.starts++;
		this.runs.reopen();
		this.beans.forEach(SimulatedBean::enter);
		this.scheduler.resume();
	}

	private void checkWatches() {
		if (this.watches > 0) {
			this.findings.violation("a watch goes on although its node is stopped: " + this.process);
		}
	}

	/** Entries of keys that the job had go, and its beans are listed. */
	void checkEntries() {
		long unused = this.known.entries().stream().filter(JobEntry::isUnused).count();
		if (unused > MOST_UNUSED) {
			this.findings.violation("a node keeps the entries of keys that its job had: " + unused);
		}
		Set<LockKey> listed = new HashSet<>(this.known.all().stream().map(LockedJob::key).toList());
		Set<LockKey> expected = new HashSet<>(this.beans.stream().map(SimulatedBean::key).toList());
		if (!listed.equals(expected)) {
			this.findings.violation("a node lists other jobs than its beans have: " + listed + ", not " + expected);
		}
	}

	/** How often the context was started again. */
	int starts() {
		return this.starts;
	}

	/** Whether no run may start: the context is stopped, or closes. */
	boolean isStopped() {
		return this.stopped || this.closing;
	}

	boolean isClosing() {
		return this.closing;
	}

	/** Whether a body that fails now has been interrupted. */
	boolean isInterrupted() {
		return this.interrupted;
	}

	boolean isAlive() {
		return this.alive && !this.closing;
	}

	/** Whether a body is under way, which may go on after the lock client has closed. */
	boolean isBusy() {
		return underWay().isPresent();
	}

	private Optional<SimulatedCall> underWay() {
		return this.calls.stream().filter(SimulatedCall::isUnderWay).findFirst();
	}

	/** How many timers of watches wait. */
	int watches() {
		return this.watches;
	}

	SimulatedProcess process() {
		return this.process;
	}

	SimulatedScheduler scheduler() {
		return this.scheduler;
	}

	LockedJobs known() {
		return this.known;
	}

	JobRuns runs() {
		return this.runs;
	}

	/** Returns the outcome that was reported since the last call. */
	@Nullable JobOutcome takeOutcome() {
		JobOutcome reported = this.outcome;
		this.outcome = null;
		return reported;
	}

	/** The run under way, if its body has begun and its lock is held. */
	Optional<JobRun> running() {
		return this.calls.stream().flatMap((call) -> call.running().stream()).findFirst();
	}

	@Override
	public void onEvent(JobEvent event) {
		JobChecks checks = this.jobs.checks(event.job().key());
		if (event instanceof JobMissedEvent missed) {
			checks.missed(missed.ticks());
		}
		else if (event instanceof JobCrashedEvent crashed) {
			checks.crashed(crashed.tick(), crashed.rerun());
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

}
