/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.dynamodblock.protocol.LockWrite;
import org.jspecify.annotations.Nullable;

/**
 * Checks what the documentation of jobs guarantees for the record of one lock, event by
 * event: what nodes start and report, and how each write changes the record in the table.
 * Ticks are those of the schedule, whatever the record calls them.
 */
final class JobChecks {

	/** A call that is this early takes the next tick. */
	private static final Duration EARLY = Duration.ofSeconds(1);

	/** The record has whole milliseconds. */
	private static final Duration ROUNDED = Duration.ofMillis(2);

	private final SimulatedTime time;

	private final JobFindings findings;

	/** Attempts whose body has begun, without those that were returned. */
	private final Set<String> starts = new HashSet<>();

	/** Attempts whose body is under way. */
	private final Set<String> going = new HashSet<>();

	/** Ticks that ended on a node that could record it, or were recorded as ended. */
	private final Set<Instant> done = new HashSet<>();

	private final Set<Instant> missed = new HashSet<>();

	private final Set<Instant> crashed = new HashSet<>();

	/** What the first attempt of a tick has to report when its body begins. */
	private final Map<Instant, List<Instant>> owed = new HashMap<>();

	/** The job's record in the table. */
	private JobRecord record = JobRecord.NONE;

	/** The method of the latest attempt; {@code null} if every method may repeat it. */
	private @Nullable String method;

	/** That of the attempt before. */
	private @Nullable String methodBefore;

	/** The application and the method of the latest claim. */
	private @Nullable String application;

	private long lastStart;

	/** When the next run may start at a rate or after a delay, by the nodes' clocks. */
	private Instant notBefore = Instant.MIN;

	/** A record that was deleted may be followed by a second start. */
	private Instant forgotten = Instant.MIN;

	private boolean paused;

	private boolean comparable = true;

	JobChecks(JobFindings findings, SimulatedTime time) {
		this.findings = findings;
		this.time = time;
	}

	private void count(String what) {
		this.findings.count(what);
	}

	private void violation(String text) {
		this.findings.violation(text);
	}

	/** Returns the record in the table. */
	JobRecord record() {
		return this.record;
	}

	/** When a body began last, in virtual time. */
	long lastStart() {
		return this.lastStart;
	}

	/** A node claims the lock for what it is to start. */
	void claims(JobRun run) {
		Duration wrong = Duration.between(this.time.now(), run.now().at()).abs();
		if (wrong.minusSeconds(1).compareTo(run.now().tolerance()) > 0) {
			violation("a node whose clock is wrong starts a run: " + run);
		}
	}

	/**
	 * A write has changed the table.
	 * @param job the job of the node that sent it, with the schedule of the record
	 */
	void applied(LockedJob job, LockWrite write, JobRecord after, boolean hasTimeToLive) {
		JobRecord before = this.record;
		this.record = after;
		this.findings.note(job.client().ownerName(),
				"has written " + write.getClass().getSimpleName() + " of " + job.key(), after);
		if (before.tick().isPresent() && after.tick().isEmpty()) {
			violation("a record was lost");
		}
		if ((after.tick().isPresent() || after.paused().isPresent()) && hasTimeToLive) {
			violation("a record has a time to live");
		}
		if (this.paused && after.paused().isEmpty()) {
			violation("a pause was lost");
		}
		if (write instanceof LockWrite.Release && before.isOfRun() && before.isUnfinished()) {
			released(job, before);
		}
		if (this.method != null && !this.method.equals(job.location()) && before.isUnfinished()) {
			followed(write, before);
		}
		after.finishedTick().ifPresent((finished) -> this.done.add(tick(job, finished)));
		if (write instanceof LockWrite.Claim && after.isOfRun() && after.isUnfinished()) {
			if (this.paused) {
				violation("a paused job was started");
			}
			claimed(job, after);
			Instant tick = tick(job, after.tick().orElseThrow());
			if (!before.tick().equals(after.tick())) {
				this.owed.put(tick, passedOver(job, before, tick));
			}
			else if (!before.isOf(job.schedule())) {
				this.owed.remove(tick);
			}
			this.comparable = true;
		}
	}

	/** A node has claimed an attempt. */
	private void claimed(LockedJob job, JobRecord after) {
		this.methodBefore = (after.attempt() > 1) ? this.method : null;
		this.method = job.location();
		String name = after.application().orElseThrow() + " " + this.method;
		if (this.application != null && !this.application.equals(name)) {
			count("claims after one of another application");
		}
		this.application = name;
	}

	/** A node has written to the record of another method's run. */
	private void followed(LockWrite write, JobRecord before) {
		if (before.tick().equals(this.record.tick())
				&& (this.record.isFinished() || before.attempt() != this.record.attempt())) {
			violation("the run of another method was rerun or recorded: " + this.record);
		}
		else if (write instanceof LockWrite.Claim && this.record.isOfRun()) {
			count("unfinished runs of another method that were followed");
		}
	}

	/** The release of a run records its end, or gives its attempt back. */
	private void released(LockedJob job, JobRecord before) {
		Instant tick = tick(job, before.tick().orElseThrow());
		String attempt = attempt(tick, before.attempt());
		if (this.record.isFinished()) {
			if (job.attempts() > 1 && this.record.outcome().equals(Optional.of(JobOutcome.INTERRUPTED))) {
				violation("a run that was interrupted is not run again: " + attempt);
			}
			return;
		}
		if (this.record.attempt() != before.attempt() - 1) {
			violation("a run was released without its end: " + attempt);
		}
		else if (this.going.contains(attempt) && tick.isAfter(this.forgotten)) {
			violation("an attempt was returned while its body goes on: " + attempt);
		}
		else if (!this.starts.contains(attempt)) {
			// Its body never began.
			this.method = this.methodBefore;
		}
		this.starts.remove(attempt);
	}

	private List<Instant> passedOver(LockedJob job, JobRecord before, Instant tick) {
		if (!this.comparable || !before.isOf(job.schedule()) || before.tick().isEmpty()) {
			return List.of();
		}
		Instant last = tick(job, before.tick().get());
		return job.schedule().between(last.minusMillis(1), tick, Integer.MAX_VALUE);
	}

	/** The lock was granted to a node while another one runs the body under it. */
	void twoBodies() {
		if (this.time.now().isAfter(this.forgotten.plus(SimulatedJobs.INTERVAL))) {
			violation("two bodies run");
		}
	}

	/** The body of a run has begun. */
	void started(JobRun run) {
		Instant tick = tick(run);
		String attempt = attempt(tick, run.attempt());
		boolean known = tick.isAfter(this.forgotten);
		if (!this.starts.add(attempt) && known) {
			violation("an attempt was started twice: " + run);
		}
		if ((this.done.contains(tick) || this.crashed.contains(tick)) && known) {
			violation("a run that had finished was started again: " + run);
		}
		if (run.attempt() > run.job().attempts()) {
			violation("a tick had too many attempts: " + run);
		}
		if (run.isFirst() && wall(run).plus(ROUNDED).isBefore(this.notBefore)) {
			violation("a run started too early: " + run);
		}
		if (run.attempt() == 1) {
			this.owed.getOrDefault(tick, List.of())
				.stream()
				.filter((each) -> !this.done.contains(each) && !this.missed.contains(each)
						&& !this.crashed.contains(each))
				.forEach((each) -> violation("a tick was neither run nor reported: " + each));
			this.owed.remove(tick);
		}
		this.going.add(attempt);
		this.lastStart = this.time.nanos();
		count((run.attempt() == 1) ? "runs" : "reruns");
	}

	/** The time by the node's clock, however it was set since the start was checked. */
	Instant wall(JobRun run) {
		return run.now().at().plusNanos(this.time.nanos() - run.now().nanoTime());
	}

	private static String attempt(Instant tick, int attempt) {
		return tick + " #" + attempt;
	}

	private static Instant tick(JobRun run) {
		return tick(run.job(), run.tick());
	}

	/**
	 * A run may be that of another schedule, which the node has replaced or does not know
	 * yet.
	 */
	private static Instant tick(LockedJob job, Instant tick) {
		boolean exact = !(job.schedule() instanceof JobSchedule.Cron)
				|| tick.toEpochMilli() % SimulatedJobs.GRID.toMillis() == 0;
		return exact ? tick : ((JobSchedule.Cron) job.schedule()).latest(Instant.EPOCH, tick.plus(EARLY)).orElseThrow();
	}

	/** The body has ended, or its process. */
	void ended(JobRun run) {
		this.going.remove(attempt(tick(run), run.attempt()));
	}

	/**
	 * Only a body that fails after the shutdown has begun to interrupt runs may be run
	 * again.
	 */
	void checkOutcome(JobRun run, @Nullable JobOutcome outcome, @Nullable Throwable failure, boolean interrupted) {
		JobOutcome expected = interrupted ? JobOutcome.INTERRUPTED : JobOutcome.FAILED;
		if (failure == null) {
			expected = JobOutcome.SUCCEEDED;
		}
		if (outcome == null) {
			violation("the end of a run was not reported: " + run);
		}
		else if (outcome != expected && outcome != JobOutcome.TIMED_OUT) {
			violation("a run has ended as " + outcome + " instead of " + expected + ": " + run);
		}
	}

	/** The node that ran it knows that the run has ended. */
	void finished(JobRun run) {
		this.done.add(tick(run));
	}

	/** A run has taken this time by its node's clock, and the record may say so. */
	void spaced(LockedJob job, Instant began, Instant ended) {
		boolean recorded = this.record.finishedAt().equals(Optional.of(ended.truncatedTo(ChronoUnit.MILLIS)));
		if (job.schedule() instanceof JobSchedule.Periodic rate && recorded) {
			this.notBefore = (rate.afterEnd() ? ended : began).plus(rate.gap());
		}
	}

	void missed(List<Instant> ticks) {
		for (Instant tick : ticks) {
			count("missed");
			if ((!this.missed.add(tick) || this.done.contains(tick)) && tick.isAfter(this.forgotten)) {
				violation("a tick was reported as missed that had run, or for the second time: " + tick);
			}
		}
	}

	void crashed(Instant tick, boolean rerun) {
		count("crashed");
		if (!rerun && !this.crashed.add(tick) && tick.isAfter(this.forgotten)) {
			violation("a crash was reported twice: " + tick);
		}
	}

	/** An operator has changed attributes that decide nothing. */
	void edited(JobRecord edited) {
		this.record = edited;
	}

	/**
	 * Another record has replaced that of the last runs: what it prevented may happen.
	 */
	void replaced(JobRecord other) {
		edited(other);
		this.comparable = false;
		this.owed.clear();
		this.notBefore = Instant.MIN;
		this.forgotten = this.time.now().plus(SimulatedJobs.INTERVAL);
		this.paused &= other.paused().isPresent();
	}

	void paused(boolean paused) {
		this.paused = paused;
	}

	/** By now, another node has started a run, or recorded the end. */
	void checkContinued(JobRun run, long since) {
		if (this.lastStart >= since || this.done.contains(tick(run))) {
			count("reruns in time");
		}
		else {
			violation("a run was not run again within one lease and two reads: " + run);
		}
	}

}
