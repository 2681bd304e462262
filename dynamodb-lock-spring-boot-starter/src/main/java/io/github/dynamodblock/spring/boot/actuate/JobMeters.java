/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobLedger;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobRun;
import io.github.dynamodblock.spring.job.LockedJob;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of scheduled jobs, by the names of the jobs. Those of a job are there from
 * the first time that this node knows of a run. Thread-safe.
 */
public class JobMeters implements JobListener {

	private static final Logger logger = LoggerFactory.getLogger(JobMeters.class);

	private static final String PREFIX = "dynamodb.lock.job.";

	private static final Map<String, String> DESCRIPTIONS = Map.of("crashes",
			"Runs that did not finish: their nodes crashed, or lost the lock", "reruns",
			"Ticks that this node ran again after a crash", "missed", "Ticks that no node ran");

	private final Supplier<MeterRegistry> registry;

	private final JobClock clock;

	private final Map<String, Measured> measured = new ConcurrentHashMap<>();

	/**
	 * Measures jobs.
	 * @param registry where jobs are measured; asked when there is something to record
	 * @param clock this node's clock
	 */
	public JobMeters(Supplier<MeterRegistry> registry, JobClock clock) {
		this.registry = registry;
		this.clock = clock;
	}

	@Override
	public void onStarted(JobRun run) {
		of(run.job());
	}

	@Override
	public void onFinished(JobRun run, Duration duration, @Nullable Throwable failure) {
		Measured job = of(run.job());
		if (failure == null) {
			job.succeeded(this.clock.now());
		}
		job.meter((to) -> job.runs(to, (failure == null) ? "succeeded" : "failed").record(duration));
	}

	@Override
	public void onCrashed(JobRun run, boolean rerun) {
		Measured job = of(run.job());
		job.meter((to) -> job.counter(to, "crashes").increment());
		if (rerun) {
			job.meter((to) -> job.counter(to, "reruns").increment());
		}
	}

	@Override
	public void onMissed(LockedJob job, List<Instant> ticks, boolean runOnce) {
		Measured measured = of(job);
		measured.meter((to) -> measured.counter(to, "missed").increment(ticks.size()));
	}

	@Override
	public void onLedger(LockedJob job, JobLedger ledger) {
		Measured measured = of(job);
		ledger.lastSuccessAt().ifPresent(measured::succeeded);
	}

	private Measured of(LockedJob job) {
		Measured known = this.measured.get(job.name());
		if (known != null) {
			return known;
		}
		Measured added = new Measured(job.name());
		Measured before = this.measured.putIfAbsent(job.name(), added);
		if (before != null) {
			return before;
		}
		added.begin();
		return added;
	}

	/** The meters of one job. */
	private final class Measured {

		private final Tags tags;

		private final String name;

		private final AtomicBoolean failed = new AtomicBoolean();

		private volatile @Nullable Instant lastSuccess;

		Measured(String name) {
			this.name = name;
			this.tags = Tags.of("name", name);
		}

		/** Registers all of them: a counter that appears later hides its first count. */
		void begin() {
			meter((to) -> {
				TimeGauge.builder(PREFIX + "since.success", this, TimeUnit.NANOSECONDS, Measured::sinceSuccess)
					.description("Time since the job was successful last on any node, as far as this node knows")
					.tags(this.tags)
					.register(to);
				runs(to, "succeeded");
				runs(to, "failed");
				counter(to, "crashes");
				counter(to, "reruns");
				counter(to, "missed");
			});
		}

		private double sinceSuccess() {
			Instant last = this.lastSuccess;
			return (last == null) ? Double.NaN : Duration.between(last, JobMeters.this.clock.now()).toNanos();
		}

		synchronized void succeeded(Instant at) {
			Instant before = this.lastSuccess;
			this.lastSuccess = (before == null || at.isAfter(before)) ? at : before;
		}

		Timer runs(MeterRegistry to, String outcome) {
			return Timer.builder(PREFIX + "runs")
				.description("Runs of the job on this node, and how long they took")
				.tags(this.tags)
				.tag("outcome", outcome)
				.register(to);
		}

		Counter counter(MeterRegistry to, String what) {
			return Counter.builder(PREFIX + what).description(DESCRIPTIONS.get(what)).tags(this.tags).register(to);
		}

		void meter(Consumer<MeterRegistry> change) {
			try {
				change.accept(JobMeters.this.registry.get());
			}
			catch (RuntimeException ex) {
				if (this.failed.compareAndSet(false, true)) {
					logger.warn("Job '{}' is not measured completely: the meter registry failed", this.name, ex);
				}
			}
		}

	}

}
