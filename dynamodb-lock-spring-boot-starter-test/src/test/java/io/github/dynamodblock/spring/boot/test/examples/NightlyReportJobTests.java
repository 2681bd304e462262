/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import java.time.Instant;

import io.github.dynamodblock.spring.boot.test.FreshLockTable;
import io.github.dynamodblock.spring.boot.test.JobTester;
import io.github.dynamodblock.spring.job.JobMissedEvent;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.JobRecord;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.event.ApplicationEvents;
import org.springframework.test.context.event.RecordApplicationEvents;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@FreshLockTable
@RecordApplicationEvents
class NightlyReportJobTests {

	@Autowired
	JobTester jobs;

	@Test
	void succeeds() {
		JobRecord record = this.jobs.tick("nightly-report");
		assertThat(record.outcome()).hasValue(JobOutcome.SUCCEEDED);
	}

	@Test
	void isRunAgainAfterACrash() {
		this.jobs.crash("nightly-report");
		JobRecord record = this.jobs.rerun("nightly-report");
		assertThat(record.attempt()).isEqualTo(2);
	}

	@Test
	void reportsAMissedTick(@Autowired ApplicationEvents events) {
		this.jobs.tick("nightly-report");
		Instant missed = this.jobs.miss("nightly-report");
		this.jobs.tick("nightly-report");
		assertThat(events.stream(JobMissedEvent.class).toList()).singleElement()
			.satisfies((event) -> assertThat(event.ticks()).containsExactly(missed));
	}

}
