/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;

@SpringBootTest(properties = "app.scheduling=false")
class BusyReportTests {

	@MockitoBean
	LockClient lockClient;

	@Test
	void isSkippedWhileTheLockIsBusy(@Autowired NightlyReport report) throws Exception {
		given(this.lockClient.acquire(any(LockRequest.class)))
			.willThrow(new LockNotGrantedException(LockKey.of("nightly-report"), "in this test", null, null));
		assertThat(report.write()).isNull();
	}

}
