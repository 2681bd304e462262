/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.demo;

import java.io.IOException;
import java.time.Duration;

import io.github.dynamodblock.samples.demo.CommandLine;
import io.github.dynamodblock.samples.scheduledjobs.NightlyReport;
import io.github.dynamodblock.spring.DistributedLock;
import org.junit.jupiter.api.Test;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ScheduledJobsDemoTests {

	@Test
	void checkerUsesTheApplicationsLease() throws IOException {
		PropertySource<?> properties = new YamlPropertySourceLoader()
			.load("application", new ClassPathResource("application.yml"))
			.get(0);

		assertThat(DurationStyle.detectAndParse(String.valueOf(properties.getProperty("dynamodb-lock.lease-duration"))))
			.isEqualTo(LockChecker.LEASE);
	}

	@Test
	void checkerUsesTheNameAndTheTickOfTheJob() throws NoSuchMethodException {
		Scheduled schedule = NightlyReport.class.getMethod("make").getAnnotation(Scheduled.class);
		DistributedLock lock = NightlyReport.class.getMethod("make").getAnnotation(DistributedLock.class);

		assertThat(Duration.of(schedule.fixedRate(), schedule.timeUnit().toChronoUnit())).isEqualTo(LockChecker.TICK);
		assertThat(lock.name()).isEqualTo(LockChecker.JOB);
	}

	@Test
	void allOptionsAreRead() {
		CommandLine options = new CommandLine("--nodes", "4", "--keep-running", "--duration", "60");
		ScheduledJobsDemo.prepare(options);

		options.requireAllRead();
	}

	@Test
	void durationTooShortForTheTakeoversIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ScheduledJobsDemo.prepare(new CommandLine("--duration", "29")))
			.withMessageStartingWith("--duration is 29; it must be from 30 ");
	}

}
