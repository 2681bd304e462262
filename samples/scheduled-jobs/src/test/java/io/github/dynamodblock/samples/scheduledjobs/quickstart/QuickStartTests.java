/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.io.IOException;
import java.time.Duration;

import io.github.dynamodblock.samples.scheduledjobs.NightlyReport;
import org.junit.jupiter.api.Test;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

class QuickStartTests {

	@Test
	void runIsJudgedByTheApplicationsLease() throws IOException {
		PropertySource<?> properties = new YamlPropertySourceLoader()
			.load("application", new ClassPathResource("application.yml"))
			.get(0);

		assertThat(DurationStyle.detectAndParse(String.valueOf(properties.getProperty("dynamodb-lock.lease-duration"))))
			.isEqualTo(QuickStart.LEASE);
	}

	@Test
	void runIsJudgedByTheJobsTick() throws NoSuchMethodException {
		Scheduled schedule = NightlyReport.class.getMethod("make").getAnnotation(Scheduled.class);

		assertThat(Duration.of(schedule.fixedRate(), schedule.timeUnit().toChronoUnit())).isEqualTo(NightlyReport.TICK);
	}

}
