/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
class NightlyReportTests {

	@Autowired
	NightlyReport report;

	@Autowired
	LockClient lockClient;

	@Test
	void isWritten() {
		assertThat(this.report.write()).isNotNull();
	}

	@Test
	void isSkippedWhileAnotherNodeWritesIt() throws Exception {
		try (HeldLock other = this.lockClient.acquire("nightly-report")) {
			assertThat(this.report.write()).isNull();
		}
	}

}
