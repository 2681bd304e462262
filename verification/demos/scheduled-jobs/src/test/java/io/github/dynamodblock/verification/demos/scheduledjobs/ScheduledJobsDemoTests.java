/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

class ScheduledJobsDemoTests {

	@Test
	void checkerAndPageUseTheApplicationsLeaseAndTable() throws IOException {
		PropertySource<?> properties = new YamlPropertySourceLoader()
			.load("application", new ClassPathResource("application.yml"))
			.get(0);

		assertThat(DurationStyle.detectAndParse(String.valueOf(properties.getProperty("dynamodb-lock.lease-duration"))))
			.isEqualTo(LockChecker.LEASE);
		assertThat(properties.getProperty("dynamodb-lock.table.name")).isEqualTo(LivePage.TABLE);
	}

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

		assertThat(ObservedBackOffice.LONG_RUN).isLessThan(Duration.between(tick, Job.REPORT.next(tick)));
	}

}
