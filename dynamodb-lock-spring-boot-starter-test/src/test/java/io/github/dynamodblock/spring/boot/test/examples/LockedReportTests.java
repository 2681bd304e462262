/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.verify;

@SpringBootTest
class LockedReportTests {

	@MockitoSpyBean
	LockClient lockClient;

	@Test
	void isWrittenUnderItsLock(@Autowired NightlyReport report) throws Exception {
		report.write();
		verify(this.lockClient).acquire(any(LockRequest.class));
	}

}
