/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;

class PagePropertiesTests {

	@Test
	void settingsOutOfTheirLimitsAreRefusedByName() {
		assertThatCode(() -> new PageProperties(Duration.ZERO, 500, 1000, 50))
			.isInstanceOf(IllegalArgumentException.class)
			.hasMessageContaining("lock-server.page.refresh is 0 s; it must be from 100 milliseconds to 1 minute");
		assertThatCode(() -> new PageProperties(Duration.ofSeconds(1), 0, 1000, 50))
			.isInstanceOf(IllegalArgumentException.class)
			.hasMessageContaining("lock-server.page.most-locks is 0; it must be from 1 to 10000");
		assertThatCode(() -> new PageProperties(Duration.ofSeconds(1), 500, 10_001, 50))
			.isInstanceOf(IllegalArgumentException.class)
			.hasMessageContaining("lock-server.page.most-watchers is 10001; it must be from 1 to 10000");
		assertThatCode(() -> new PageProperties(Duration.ofSeconds(1), 500, 1000, 0))
			.isInstanceOf(IllegalArgumentException.class)
			.hasMessageContaining("lock-server.page.most-watchers-per-owner is 0; it must be from 1 to 10000");
	}

}
