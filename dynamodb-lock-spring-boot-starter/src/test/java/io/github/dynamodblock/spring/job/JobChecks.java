/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.dynamodblock.spring.OnCrash;
import org.jspecify.annotations.Nullable;

/**
 * Checks what the documentation of jobs guarantees, event by event. Ticks are those of
 * the schedule, whatever the ledger calls them.
 */
final class JobChecks {

	/** A call that is this early takes the next tick. */
	private static final Duration EARLY = Duration.ofSeconds(1);

	/** Prints what happens: {@code -Djobs.record=true}. */
	private static final boolean RECORDING = Boolean.getBoolean("jobs.record");

	private final SimulatedTime time;

	private final OnCrash onCrash;

	private final List<String> violations = new ArrayList<>();

	private final Map<String, Integer> counts = new TreeMap<>();

	private final Set<String> starts = new HashSet<>();

	/** Ticks whose body has ended, or that were reported. */
	private final Set<Instant> accounted = new HashSet<>();

	/** Ticks whose run ended and released the lock. */
	private final Set<Instant> finished = new HashSet<>();

	/** The greatest attempt of a tick that has begun. */
	private final Map<Instant, Integer> attempts = new HashMap<>();

	private @Nullable Instant verified;

	private Instant latest = Instant.MIN;

	/** A ledger that was deleted may be followed by a second start. */
	private Instant forgotten = Instant.MIN;

	private boolean paused;

	private int schedules = 1;

	JobChecks(SimulatedTime time, OnCrash onCrash) {
		this.time = time;
		this.onCrash = onCrash;
	}

	List<String> violations() {
		return this.violations;
	}

	Map<String, Integer> counts() {
		return this.counts;
	}

	void count(String what) {
		count(what, 1);
	}

	void count(String what, int times) {
		this.counts.merge(what, times, Integer::sum);
	}

	/** For people who look for the cause of a violation. */
	void note(Object who, String what, Object details) {
		if (RECORDING) {
			System.out.println(this.time.now() + " " + who + " " + what + " " + details);
		}
	}

	void violation(String text) {
		note("!", "violation", text);
		this.violations.add(text + ", at " + this.time.now());
	}

	void started(JobRun run) {
		if (this.paused) {
			violation("a paused job was started: " + run);
		}
		if (run.manual()) {
			count("manual runs");
			return;
		}
		Instant tick = tick(run);
		boolean rerun = this.onCrash == OnCrash.RERUN;
		boolean known = tick.isAfter(this.forgotten);
		if (!this.starts.add(rerun ? tick + " #" + run.attempt() : tick.toString()) && known) {
			violation((rerun ? "an attempt was started twice: " : "a tick was started twice: ") + run);
		}
		if (this.finished.contains(tick) && known) {
			violation("a run that had finished was started again: " + run);
		}
		if (run.attempt() > run.job().attempts()) {
			violation("a tick had too many attempts: " + run);
		}
		this.latest = tick.isAfter(this.latest) ? tick : this.latest;
		this.attempts.merge(tick, run.attempt(), Math::max);
		count((run.attempt() == 1) ? "runs" : "reruns");
	}

	/**
	 * A run may be that of another schedule, which the node has replaced or does not know
	 * yet.
	 */
	private static Instant tick(JobRun run) {
		if (run.tick().toEpochMilli() % SimulatedJobs.GRID.toMillis() == 0) {
			return run.tick();
		}
		return ((JobSchedule.Cron) run.job().schedule()).latest(Instant.EPOCH, run.tick().plus(EARLY)).orElseThrow();
	}

	/** The body has ended, so that the tick has run. */
	void ended(JobRun run) {
		if (!run.manual()) {
			this.accounted.add(tick(run));
		}
	}

	/**
	 * A run has ended and released the lock. From the first one on, no tick may be lost.
	 */
	void finished(JobRun run) {
		if (run.manual()) {
			return;
		}
		Instant tick = tick(run);
		this.finished.add(tick);
		if (this.verified != null) {
			run.job()
				.schedule()
				.between(this.verified, tick, Integer.MAX_VALUE)
				.stream()
				.filter((each) -> !this.accounted.contains(each))
				.forEach((each) -> violation("a tick was neither run nor reported: " + each));
		}
		if (this.schedules == 1 && (this.verified == null || tick.isAfter(this.verified))) {
			this.verified = tick;
		}
	}

	void missed(List<Instant> ticks) {
		this.accounted.addAll(ticks);
		ticks.forEach((tick) -> count("missed"));
	}

	void crashed(JobRun run) {
		ended(run);
		count("crashed");
	}

	/**
	 * Ticks of several schedules are not compared, nor is the first one of a schedule.
	 */
	void schedules(int number) {
		this.schedules = number;
		this.verified = null;
	}

	/** The item was deleted: what it prevented may happen. */
	void deleted() {
		this.verified = null;
		this.forgotten = this.time.now().plus(SimulatedJobs.INTERVAL);
		this.paused = false;
	}

	void paused(boolean paused) {
		this.paused = paused;
	}

	/**
	 * By now, another node has started the next attempt, or the tick after it, unless the
	 * run ended just in time.
	 */
	void checkRunAgain(JobRun run) {
		Instant tick = tick(run);
		if (this.attempts.getOrDefault(tick, 0) > run.attempt()) {
			count("reruns in time");
		}
		else if (!this.finished.contains(tick) && !this.latest.isAfter(tick)) {
			violation("a run was not run again within one lease and two reads: " + run);
		}
	}

}
