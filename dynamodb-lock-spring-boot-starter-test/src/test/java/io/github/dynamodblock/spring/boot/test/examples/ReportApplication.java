/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The application whose tests docs/testing.md shows. */
@SpringBootApplication
class ReportApplication {

	@Configuration
	@EnableScheduling
	@ConditionalOnBooleanProperty(name = "app.scheduling", matchIfMissing = true)
	static class Scheduling {

	}

}
