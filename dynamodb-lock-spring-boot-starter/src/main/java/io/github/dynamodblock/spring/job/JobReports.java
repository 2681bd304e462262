/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.github.dynamodblock.LogText;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reports what happens to the jobs of a node, in the log and to the listeners.
 * Thread-safe.
 */
final class JobReports {

	private static final Logger logger = LoggerFactory.getLogger(JobReports.class);

	private static final int MOST_MISSED = 1_000;

	private final @Nullable String application;

	private final List<JobListener> listeners;

	/** What was logged about the records of other methods. */
	private final Set<String> ofOthers = ConcurrentHashMap.newKeySet();

	/** Methods for whose last start DynamoDB did not answer. */
	private final Set<String> failing = ConcurrentHashMap.newKeySet();

	private volatile boolean stopped;

	/** When this node was stopped last. */
	private volatile Instant stoppedAt = Instant.MAX;

	/** When it was started again. */
	private volatile Instant startedAt = Instant.MAX;

	JobReports(@Nullable String application, List<JobListener> listeners) {
		this.application = application;
		this.listeners = List.copyOf(listeners);
	}

	/** Notes that this node starts no runs from now on. */
	void stopped(Instant now) {
		if (!this.stopped) {
			this.stoppedAt = now;
		}
		this.stopped = true;
	}

	/** Notes that this node starts runs again. */
	void resumed(Instant now) {
		this.startedAt = now;
		this.stopped = false;
	}

	/** Reports that this node has read a job's record. */
	void read(LockedJob job, JobRecord before, JobRecord record) {
		inform((listener) -> listener.onRecord(job, record));
		if (!record.problems().equals(before.problems()) && !record.problems().isEmpty()) {
			logger
				.warn("The record of {} in the item of lock '{}' contains values that this version does not know: {}. "
						+ "Runs may be refused. If a newer version wrote them, upgrade this application; otherwise, "
						+ "correct or remove the attributes", job, job.key(), String.join("; ", record.problems()));
		}
		compare(job, record);
	}

	/**
	 * Logs, once for each job, that its record belongs to another method. An
	 * application's name proves nothing: nodes of one application may have different
	 * names, or none.
	 */
	private void compare(LockedJob job, JobRecord record) {
		if (record.isOfMethod(job.location())) {
			return;
		}
		String method = record.method().orElseThrow();
		String other = record.application().orElse(null);
		if (other != null && other.equals(this.application)) {
			if (this.ofOthers.add("method " + job.location())) {
				logger
					.info("The latest run of {} called another method, {}, so this node neither reruns it nor records "
							+ "its end. This is normal after the method was renamed", job, method);
			}
		}
		else if (this.ofOthers.add("application " + job.location())) {
			logger.warn("The latest run of {} called another method, {}, in {}, but this is {}. If these are two "
					+ "applications, they take each other's ticks: set dynamodb-lock.key-prefix in one of them. "
					+ "If it is one application that was renamed, do nothing. This node neither reruns that run "
					+ "nor records its end", job, method, named(other), named(this.application));
		}
	}

	private static String named(@Nullable String application) {
		return (application != null) ? "application '" + application + "'" : "an application without a name";
	}

	/** Reports whether a tick waits. */
	void waits(LockedJob job, @Nullable Instant tick) {
		inform((listener) -> listener.onWaiting(job, tick));
	}

	/** Logs one line per job and outage. */
	void failing(LockedJob job, Duration retry, RuntimeException failure) {
		if (!this.stopped && this.failing.add(job.location())) {
			logger.warn("{} cannot start on this node; retrying every {} s. {}", job, retry.toSeconds(),
					failure.getMessage());
		}
	}

	/** Notes that DynamoDB has answered the start of a run. */
	void answered(LockedJob job) {
		if (this.failing.remove(job.location()) && this.failing.isEmpty()) {
			logger.info("All jobs can start on this node again");
		}
	}

	/**
	 * Logs that a job has no bean: Spring re-creates some beans only when they are used
	 * again.
	 */
	void withoutBean(LockedJob job) {
		logger.warn("{} is due, but no bean on this node has it any more: the bean was destroyed, or its key has "
				+ "changed. Other nodes may run it, and this one does if such a bean is created", job);
	}

	/**
	 * Reports that a run has started on this node, or that its end was recorded.
	 * @param run the run
	 * @param record the record after that
	 * @param before the record before, as this node has seen it
	 */
	void started(JobRun run, JobRecord record, JobRecord before) {
		if (run.end() == JobOutcome.TIMED_OUT) {
			logger
				.warn("Timed out: tick {} of {}. Its node did not record how the run ended, and may have held the lock "
						+ "until holdAtMost. The tick is not rerun", run.tick(), run.job());
		}
		else if (run.end() != null || run.isRerun()) {
			crashed(run.job(), run.tick(), run.end() == null, run.seen());
		}
		else if (!run.isFirst()) {
			logger.info("Starting {} on this node, because another node was shut down during this attempt, or did not "
					+ "call the method", run);
		}
		if (run.end() == null) {
			begins(run, record, before);
		}
	}

	/** Reports the start, and for a first attempt the crashed and missed ticks before. */
	private void begins(JobRun run, JobRecord record, JobRecord before) {
		if (run.attempt() == 1) {
			record.previousCrash().ifPresent((tick) -> crashed(run.job(), tick, false, before));
			List<Instant> missed = record.missed(run.job().schedule(), MOST_MISSED);
			if (!missed.isEmpty()) {
				Instant last = missed.get(missed.size() - 1);
				boolean runOnce = run.job().onMissed() == OnMissed.RUN_ONCE;
				// The context of a test is paused while others run.
				boolean intended = !missed.get(0).isBefore(this.stoppedAt) && !last.isAfter(this.startedAt);
				logger.atLevel(intended ? Level.INFO : Level.WARN)
					.log("Missed ticks of {}: {}, from {} to {}. {}. {}", run.job(), missed.size(), missed.get(0), last,
							intended ? "The application context of this node was stopped or paused"
									: "No node was up and could reach DynamoDB, the job or the process was paused, or "
											+ "an earlier run took too long",
							runOnce ? "The job runs once to make up for them" : "They are skipped");
				report(new JobMissedEvent(run.job(), missed, runOnce));
			}
		}
		logger.debug("Started {}", run);
		report(new JobStartedEvent(run.job(), run.tick(), run.attempt(), record.isRerun()));
	}

	private void crashed(LockedJob job, Instant tick, boolean rerun, JobRecord seen) {
		String node = seen.node().filter((name) -> tick.equals(seen.tick().orElse(null))).orElse(null);
		logger.warn(
				"Crashed: tick {} of {}. {} died, was paused, lost the lock or could not reach DynamoDB before it "
						+ "recorded how the run ended. {}",
				tick, job, (node != null) ? "Node '" + node + "'" : "Its node",
				rerun ? "This node reruns the tick" : "The tick is not rerun");
		report(new JobCrashedEvent(job, tick, rerun));
	}

	/** Reports that the body of a run has ended on this node. */
	void finished(JobRun run, Duration duration, JobOutcome outcome, @Nullable Throwable failure) {
		if (outcome == JobOutcome.TIMED_OUT) {
			logger.warn(
					"Timed out: {} ended after {}, longer than holdAtMost allows. The tick is not rerun, and another "
							+ "run may have started in the meantime",
					run, LogText.of(duration.truncatedTo(ChronoUnit.MILLIS)));
		}
		else if (outcome == JobOutcome.INTERRUPTED) {
			boolean returned = run.job().attempts() > 1;
			logger.atLevel(returned ? Level.INFO : Level.WARN)
				.log("Interrupted: {} by the shutdown of this node, after {}. {}", run,
						LogText.of(duration.truncatedTo(ChronoUnit.MILLIS)),
						returned ? "Another node starts the attempt again, unless the next tick is due first"
								: "The tick is not rerun");
		}
		else {
			logger.debug("{} after {}: {}", outcome, LogText.of(duration.truncatedTo(ChronoUnit.MILLIS)), run);
		}
		report(new JobFinishedEvent(run.job(), run.tick(), run.attempt(), duration, outcome,
				Optional.ofNullable(failure)));
	}

	private void report(JobEvent event) {
		inform((listener) -> listener.onEvent(event));
	}

	private void inform(Consumer<JobListener> call) {
		for (JobListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				// The listener's bean may be destroyed already.
				logger.atLevel(this.stopped ? Level.DEBUG : Level.WARN)
					.setCause(ex)
					.log("A job listener failed: {}", listener);
			}
		}
	}

}
