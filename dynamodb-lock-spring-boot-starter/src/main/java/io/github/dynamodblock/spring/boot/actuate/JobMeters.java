/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.boot.actuate.LockObservationDocumentation.LowCardinalityKeyNames;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobCrashedEvent;
import io.github.dynamodblock.spring.job.JobEvent;
import io.github.dynamodblock.spring.job.JobFinishedEvent;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobMissedEvent;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.JobRecord;
import io.github.dynamodblock.spring.job.LockedJob;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Meters of scheduled jobs, tagged with the job's name. A job's meters are registered at
 * the first callback about it on this node. Thread-safe.
 */
public class JobMeters implements JobListener {

	private static final String PREFIX = LockObservationDocumentation.PREFIX + "job.";

	private static final Map<String, String> DESCRIPTIONS = Map.of("crashes",
			"Runs that did not finish: their nodes crashed, or lost the lock", "reruns",
			"Ticks that this node ran again after a crash", "missed", "Ticks that no node ran");

	/** The outcomes that a run's node reports. */
	private static final Set<JobOutcome> RECORDED = EnumSet.complementOf(EnumSet.of(JobOutcome.CRASHED));

	private final Supplier<MeterRegistry> registry;

	private final JobClock clock;

	private final Map<String, Measured> measured = new ConcurrentHashMap<>();

	/**
	 * Creates the meters.
	 * @param registry supplies the registry when there is something to record
	 * @param clock this node's clock
	 */
	public JobMeters(Supplier<MeterRegistry> registry, JobClock clock) {
		this.registry = registry;
		this.clock = clock;
	}

	@Override
	public void onEvent(JobEvent event) {
		Measured job = of(event.job());
		if (event instanceof JobFinishedEvent finished) {
			if (finished.outcome() == JobOutcome.SUCCEEDED) {
				job.succeeded(this.clock.now());
			}
			job.runs(finished.outcome()).record(finished.duration());
		}
		else if (event instanceof JobCrashedEvent crashed) {
			job.counter("crashes").increment();
			if (crashed.rerun()) {
				job.counter("reruns").increment();
			}
		}
		else if (event instanceof JobMissedEvent missed) {
			job.counter("missed").increment(missed.ticks().size());
		}
	}

	@Override
	public void onWaiting(LockedJob job, @Nullable Instant tick) {
		of(job).waits(job, tick);
	}

	@Override
	public void onRecord(LockedJob job, JobRecord record) {
		Measured measured = of(job);
		record.lastSuccessAt().ifPresent(measured::succeeded);
	}

	private Measured of(LockedJob job) {
		return this.measured.computeIfAbsent(job.name(), Measured::new);
	}

	/** The meters of one job. */
	private final class Measured {

		private final Tags tags;

		/** Until the first success, the time at which this node first saw the job. */
		private volatile Instant lastSuccess = JobMeters.this.clock.now();

		private boolean successful;

		/** A job with a key may wait for several locks. */
		private final Map<LockKey, Instant> waiting = new ConcurrentHashMap<>();

		Measured(String name) {
			this.tags = Tags.of(LowCardinalityKeyNames.NAME.asString(), name);
			// All outcomes at once, because a counter that appears later hides its first
			// count.
			TimeGauge.builder(PREFIX + "since.success", this, TimeUnit.NANOSECONDS, Measured::sinceSuccess)
				.description("Time since the job last succeeded on any node, as far as this node knows")
				.tags(this.tags)
				.register(registry());
			TimeGauge.builder(PREFIX + "late", this, TimeUnit.NANOSECONDS, Measured::late)
				.description("Delay of the tick that waits to start on this node; 0 if none waits")
				.tags(this.tags)
				.register(registry());
			RECORDED.forEach(this::runs);
			DESCRIPTIONS.keySet().forEach(this::counter);
		}

		private MeterRegistry registry() {
			return JobMeters.this.registry.get();
		}

		private double sinceSuccess() {
			return nanosSince(this.lastSuccess);
		}

		private double late() {
			return this.waiting.values().stream().mapToDouble(this::nanosSince).max().orElse(0);
		}

		private double nanosSince(Instant time) {
			return Math.max(0, Duration.between(time, JobMeters.this.clock.now()).toNanos());
		}

		void waits(LockedJob job, @Nullable Instant tick) {
			if (tick != null) {
				this.waiting.put(job.key(), tick);
			}
			else {
				this.waiting.remove(job.key());
			}
		}

		/**
		 * Counts a time in the future as now: a clock that is ahead would hide that no
		 * run succeeds.
		 */
		synchronized void succeeded(Instant at) {
			Instant now = JobMeters.this.clock.now();
			Instant known = at.isAfter(now) ? now : at;
			this.lastSuccess = (!this.successful || known.isAfter(this.lastSuccess)) ? known : this.lastSuccess;
			this.successful = true;
		}

		Timer runs(JobOutcome outcome) {
			return Timer.builder(PREFIX + "runs")
				.description("Runs of the job on this node, and how long they took")
				.tags(this.tags)
				.tag(LowCardinalityKeyNames.OUTCOME.asString(), outcome.name().toLowerCase(Locale.ROOT))
				.register(registry());
		}

		Counter counter(String what) {
			return Counter.builder(PREFIX + what)
				.description(DESCRIPTIONS.get(what))
				.tags(this.tags)
				.register(registry());
		}

	}

}
