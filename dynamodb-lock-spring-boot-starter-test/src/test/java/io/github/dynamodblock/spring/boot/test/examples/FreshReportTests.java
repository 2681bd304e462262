/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.test.FreshLockTable;
import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@FreshLockTable
class FreshReportTests {

	@RepeatedTest(2)
	void findsNoLockOfAnEarlierTest(@Autowired NightlyReport report, @Autowired LockClient lockClient)
			throws Exception {
		assertThat(report.write()).isNotNull();
		HeldLock left = lockClient.acquire("nightly-report");
		assertThat(left.isHeld()).isTrue();
	}

}
