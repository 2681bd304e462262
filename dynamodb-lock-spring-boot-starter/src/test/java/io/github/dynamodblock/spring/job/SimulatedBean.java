/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.OnMissed;

/**
 * An object that has the job's method, and what Spring does with it: it is created,
 * scheduled, and perhaps destroyed.
 */
final class SimulatedBean implements JobExecutor {

	private final SimulatedNode node;

	private final SimulatedJobs jobs;

	private final JobFindings findings;

	private final JobSchedule schedule;

	/** The key of its job when that was last evaluated. */
	private LockKey key;

	private boolean destroyed;

	SimulatedBean(SimulatedNode node, SimulatedJobs jobs, JobSchedule schedule) {
		this.node = node;
		this.jobs = jobs;
		this.findings = jobs.findings();
		this.schedule = schedule;
		this.key = node.key();
	}

	JobSchedule schedule() {
		return this.schedule;
	}

	LockKey key() {
		return this.key;
	}

	/** Its job is listed, its record is read, and Spring schedules it. */
	void create() {
		enter();
		Instant now = this.node.process().wallClock();
		boolean cron = this.schedule instanceof JobSchedule.Cron;
		awaitTick(cron ? now : now.minusMillis(this.jobs.random().nextInt(10_000)));
	}

	/** Its job is listed, and its record is read, as when a context starts. */
	void enter() {
		this.key = this.node.key();
		this.node.known().add(this.node.job(this.key, this.schedule), this);
		read(this.node.starts());
	}

	/**
	 * Reads the record.
	 * @param starts how often the node had been started when this was asked
	 */
	private void read(int starts) {
		this.node.scheduler().submit(() -> {
			if (starts != this.node.starts() || this.node.isStopped()) {
				return;
			}
			try {
				this.node.watch(this.key).begin();
				this.node.runs().open(this);
			}
			catch (LockException ex) {
				this.findings.count("nodes that came up without a record");
				this.node.process().later(Duration.ofSeconds(10), () -> read(starts));
			}
		});
	}

	void destroy() {
		this.destroyed = true;
		this.node.known().remove(this);
	}

	/** As Spring's scheduler does: the next fire time after the last call. */
	private void awaitTick(Instant after) {
		SimulatedProcess process = this.node.process();
		Instant next = this.schedule.next(after).orElseGet(() -> after.plus(SimulatedJobs.INTERVAL));
		long early = this.jobs.random().nextInt(this.jobs.scenario().timerError()) - 5L;
		Duration delay = Duration.between(process.wallClock(), next).plusMillis(early);
		process.later(delay, () -> {
			if (!this.destroyed) {
				this.node.scheduler().submit(() -> {
					fire();
					Instant now = process.wallClock();
					awaitTick(now.isBefore(next) ? next : now);
				});
			}
		});
	}

	private void fire() {
		if (this.jobs.isOver() || this.destroyed) {
			return;
		}
		LockKey value = this.node.key();
		if (!value.equals(this.key) && !this.node.isStopped()) {
			this.findings.count("beans whose key had changed");
			this.key = value;
		}
		this.node.watch(this.key).begin();
		this.node.noteCall();
		this.node.runs()
			.tick(this.node.job(value, this.schedule), this)
			.ifPresentOrElse(this::claim, () -> this.findings
				.count(this.node.isStopped() ? "ticks of a stopped node" : "ticks refused by the clock"));
		this.node.checkEntries();
	}

	@Override
	public Runnable later(Duration delay, Runnable task) {
		return this.node.later(delay, task);
	}

	@Override
	public void call(JobCall call) {
		JobRun run = Objects.requireNonNull(call.run());
		if (this.destroyed) {
			this.findings.violation("a bean that was destroyed is called: " + run);
		}
		else if (!this.node.isLatest(this)) {
			this.findings.violation("another bean than the latest is called: " + run);
		}
		if (this.node.watch(run.job().key()).isTooMany()) {
			this.findings.violation("a node goes on watching a job in which nothing is to be done: " + run);
		}
		boolean skips = run.job().onMissed() == OnMissed.SKIP && run.job().schedule() instanceof JobSchedule.Cron;
		if (skips && run.attempt() == 1 && run.isFirst() && !this.node.wasCalled()) {
			this.findings.violation("a tick starts for which the scheduler has not called: " + run);
		}
		claim(call);
	}

	private void claim(JobCall call) {
		this.node.claim(call);
	}

	@Override
	public void runNow(LockedJob called) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void fire(Runnable ended) {
		throw new UnsupportedOperationException();
	}

	/**
	 * How long a node watches a job. Once a refusal has shown that there is nothing to be
	 * done, one start may have been planned before.
	 */
	static final class Watch {

		private boolean nothing;

		private int planned;

		/** A call of the scheduler, or a new bean. */
		void begin() {
			this.nothing = false;
			this.planned = 0;
		}

		/** The lock was granted or refused. */
		void answered(boolean nothingToDo) {
			this.nothing = nothingToDo;
		}

		/** Returns whether a planned start is one too many. */
		boolean isTooMany() {
			return this.nothing && this.planned++ > 0;
		}

	}

}
