/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.shedlockannotations;

import java.time.Duration;
import java.time.Instant;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.test.FreshLockTable;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

/** Each test has a fresh table, because a run keeps its lock for lockAtLeastFor. */
@SpringBootTest
@FreshLockTable
class ReportJobTests {

	@Autowired
	ReportJob job;

	@MockitoBean
	Report report;

	/** Stands for another node. */
	@Autowired
	LockProvider otherNode;

	@Autowired
	LockClient lockClient;

	@Test
	void isSkippedWhileAnotherNodeRunsIt() {
		LockConfiguration run = new LockConfiguration(Instant.now(), "report", Duration.ofHours(1), Duration.ZERO);
		SimpleLock lock = this.otherNode.lock(run).orElseThrow();
		this.job.run();
		verifyNoInteractions(this.report);
		lock.unlock();
		this.job.run();
		verify(this.report).write();
	}

	@Test
	void isSkippedForHalfAMinuteAfterARun() {
		this.job.run();
		this.job.run();
		verify(this.report, times(1)).write();
	}

	@Test
	void runsUnderALockOfTheLockClient() {
		willAnswer((invocation) -> {
			assertThat(this.lockClient.holds("shedlock:report")).isTrue();
			return null;
		}).given(this.report).write();
		this.job.run();
		verify(this.report).write();
	}

}
