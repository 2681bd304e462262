/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.observability;

import io.github.dynamodblock.spring.boot.test.JobTester;
import io.github.dynamodblock.spring.job.JobRecord;
import io.github.dynamodblock.spring.job.LockedJobs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(properties = "work.report=0s")
@ExtendWith(OutputCaptureExtension.class)
class ReportTests {

	@Test
	void aTickWritesTheReport(CapturedOutput output, @Autowired JobTester jobs) {
		JobRecord run = jobs.tick("report");
		assertThat(output).contains("The report of " + run.tick().orElseThrow() + " is written");
	}

	@Test
	void anOperatorCanWriteTheReportBetweenTwoTicks(CapturedOutput output, @Autowired LockedJobs jobs) {
		jobs.runNow(jobs.find("report").orElseThrow());
		await().untilAsserted(() -> assertThat(output).contains("The report between two ticks is written"));
	}

}
