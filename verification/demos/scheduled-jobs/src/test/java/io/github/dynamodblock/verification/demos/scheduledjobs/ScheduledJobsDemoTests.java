/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ScheduledJobsDemoTests {

	@Test
	void clocksDifferByMoreThanTheOutboxTakesAndByLessThanHalfItsInterval() {
		Duration difference = ScheduledJobsDemo.CLOCK_DIFFERENCE.multipliedBy(2);
		Instant tick = Job.OUTBOX.next(Instant.EPOCH);

		assertThat(difference).isGreaterThan(Duration.ofMillis(20))
			.isLessThan(Duration.between(tick, Job.OUTBOX.next(tick)).dividedBy(2));
	}

	@Test
	void longReportIsShorterThanTheIntervalOfItsJob() {
		Instant tick = Job.REPORT.next(Instant.EPOCH);

		assertThat(ObservedWork.LONG_RUN).isLessThan(Duration.between(tick, Job.REPORT.next(tick)));
	}

}
