/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.Printable;
import io.github.dynamodblock.spring.job.CheckedJobClock;
import io.github.dynamodblock.spring.job.LockedJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports jobs whose intervals are shorter than twice the clock tolerance, where that
 * matters: because the configured tolerance does not apply to them, or because no clock
 * can be compared as exactly as their interval needs.
 */
final class ClockToleranceReport {

	private static final Logger logger = LoggerFactory.getLogger(ClockToleranceReport.class);

	private static final String PROPERTY = DynamoDbLockProperties.PREFIX + ".jobs.clock-tolerance";

	private final CheckedJobClock clock;

	private final boolean configured;

	/**
	 * Creates a report.
	 * @param clock the node's clock
	 * @param configured whether its tolerance is not the default
	 */
	ClockToleranceReport(CheckedJobClock clock, boolean configured) {
		this.clock = clock;
		this.configured = configured;
	}

	void log(List<LockedJob> jobs) {
		jobs.forEach((job) -> job.schedule().interval(this.clock.now()).ifPresent((interval) -> log(job, interval)));
	}

	private void log(LockedJob job, Duration interval) {
		Duration tolerance = this.clock.tolerance(job);
		String subject = job + ": its interval of " + Printable.of(interval) + " is shorter than twice";
		if (tolerance.multipliedBy(2).compareTo(interval) > 0) {
			logger.info(
					"{} its clock tolerance of {}, the least that clocks can be compared by: a node whose clock is "
							+ "ahead by less starts runs early, and can skip ticks. Keep the clocks synchronized "
							+ "(NTP), or choose an interval of at least {}",
					subject, Printable.of(tolerance), Printable.of(tolerance.multipliedBy(2)));
		}
		else if (this.configured && this.clock.tolerance().multipliedBy(2).compareTo(interval) > 0) {
			logger.info(
					"{} {} ({}). Its clock tolerance is half of the interval, {}. Lower the property to that, or "
							+ "choose an interval of at least {}",
					subject, PROPERTY, Printable.of(this.clock.tolerance()), Printable.of(tolerance),
					Printable.of(this.clock.tolerance().multipliedBy(2)));
		}
	}

}
