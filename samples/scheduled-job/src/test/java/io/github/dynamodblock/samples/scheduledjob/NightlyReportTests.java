/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjob;

import java.time.Instant;

import io.github.dynamodblock.spring.boot.test.FreshLockTable;
import io.github.dynamodblock.spring.boot.test.JobTester;
import io.github.dynamodblock.spring.job.JobMissedEvent;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.JobRecord;
import io.github.dynamodblock.spring.job.LockedJobs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.event.ApplicationEvents;
import org.springframework.test.context.event.RecordApplicationEvents;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@FreshLockTable
@RecordApplicationEvents
@ExtendWith(OutputCaptureExtension.class)
class NightlyReportTests {

	private static final String JOB = "nightly-report";

	@Autowired
	JobTester jobs;

	@Test
	void aTickRunsTheJob(CapturedOutput output) {
		JobRecord run = this.jobs.tick(JOB);
		assertThat(run.outcome()).hasValue(JobOutcome.SUCCEEDED);
		assertThat(output).contains("Report of " + run.tick().orElseThrow() + ", attempt 1");
	}

	@Test
	void aSecondNodeSkipsTheSameTick(CapturedOutput output, @Autowired LockedJobs secondNode) {
		JobRecord run = this.jobs.tick(JOB);
		// As the scheduler of a node does whose clock is a moment behind.
		secondNode.tick(secondNode.find(JOB).orElseThrow()).join();
		assertThat(this.jobs.record(JOB).startedAt()).isEqualTo(run.startedAt());
		assertThat(output).containsOnlyOnce("Report of ");
	}

	@Test
	void aCrashedTickRunsAgain(CapturedOutput output) {
		JobRecord crashed = this.jobs.crash(JOB);
		JobRecord rerun = this.jobs.rerun(JOB);
		assertThat(rerun.tick()).isEqualTo(crashed.tick());
		assertThat(rerun.outcome()).hasValue(JobOutcome.SUCCEEDED);
		assertThat(output).contains("Report of " + crashed.tick().orElseThrow() + ", attempt 2");
	}

	@Test
	void aMissedTickIsReported(@Autowired ApplicationEvents events) {
		this.jobs.tick(JOB);
		Instant missed = this.jobs.miss(JOB);
		this.jobs.tick(JOB);
		assertThat(events.stream(JobMissedEvent.class).toList()).singleElement()
			.satisfies((event) -> assertThat(event.ticks()).containsExactly(missed));
	}

}
