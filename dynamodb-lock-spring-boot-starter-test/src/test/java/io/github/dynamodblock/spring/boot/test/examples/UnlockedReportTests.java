/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(properties = "dynamodb-lock.enabled=false")
class UnlockedReportTests {

	@Test
	void isWritten(@Autowired NightlyReport report) {
		assertThat(report.write()).isEqualTo("written under null");
	}

}
