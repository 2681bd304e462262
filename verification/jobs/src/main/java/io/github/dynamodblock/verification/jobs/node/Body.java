/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs.node;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.verification.harness.Reporter;
import io.github.dynamodblock.spring.job.JobContext;

/**
 * The body of a job: it takes a while, and reports its begin and its end. Thread-safe.
 */
class Body {

	private static final Duration LONGEST_HOLD = Duration.ofSeconds(15);

	private final Reporter reporter;

	private final Clock clock;

	private volatile CountDownLatch held = new CountDownLatch(0);

	Body(Reporter reporter, Clock clock) {
		this.reporter = reporter;
		this.clock = clock;
	}

	/** Lets no body end until {@link #release()}. */
	void hold() {
		this.held = new CountDownLatch(1);
	}

	void release() {
		this.held.countDown();
	}

	/**
	 * Returns whether this run repeats one whose node was stopped or killed.
	 * @return {@code false} without the lock, too
	 */
	static boolean isRerun() {
		return JobContext.current().filter(JobContext::rerun).isPresent();
	}

	/**
	 * Returns the time of the tick. Without the lock, a run has none, and the second in
	 * which it begins stands for it.
	 */
	Instant tick() {
		return JobContext.current()
			.map(JobContext::scheduledTime)
			.orElseGet(() -> this.clock.instant().truncatedTo(ChronoUnit.SECONDS));
	}

	/**
	 * Runs the body.
	 * @param job what the trial calls the job
	 * @param bean the number of the bean that has it
	 * @param time how long the body takes
	 * @throws InterruptedException if the node interrupts it
	 */
	void run(String job, long bean, Duration time) throws InterruptedException {
		Optional<JobContext> run = JobContext.current();
		long[] numbers = { tick().toEpochMilli(), run.map(JobContext::attempt).orElse(0), isRerun() ? 1 : 0, bean };
		this.reporter.report(TrialNode.BEGINS, job, numbers);
		String end = TrialNode.INTERRUPTED;
		try {
			TimeUnit.MILLISECONDS.sleep(time.toMillis());
			this.held.await(LONGEST_HOLD.toMillis(), TimeUnit.MILLISECONDS);
			end = TrialNode.ENDS;
		}
		finally {
			this.reporter.report(end, job, numbers);
		}
	}

}
