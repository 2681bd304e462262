/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.io.IOException;

import org.junit.jupiter.api.Test;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderElectionDemoTests {

	@Test
	void demoReadsTheApplicationsTable() throws IOException {
		PropertySource<?> properties = new YamlPropertySourceLoader()
			.load("application", new ClassPathResource("application.yml"))
			.get(0);

		assertThat(properties.getProperty("dynamodb-lock.table.name")).isEqualTo(LeaderElectionDemo.TABLE);
	}

}
