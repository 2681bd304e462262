/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.testing;

import java.io.IOException;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbConnectionDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The services of {@code compose.yaml}. Skipped if no Docker engine answers, or without
 * {@code docker compose}.
 */
@SpringBootTest(properties = "spring.docker.compose.skip.in-tests=false")
@EnabledIfDockerAvailable
@EnabledIf("hasDockerCompose")
class ComposeTests {

	@Autowired
	Invoices invoices;

	@Autowired
	LockClient lockClient;

	@Autowired
	DynamoDbConnectionDetails connection;

	static boolean hasDockerCompose() throws InterruptedException {
		try {
			return new ProcessBuilder("docker", "compose", "version").start().waitFor() == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Test
	void theLockIsInTheService() {
		assertThat(this.connection.getEndpoint()).isNotNull();
		this.invoices.write("17");
		assertThat(this.lockClient.find("invoice:17")).isPresent();
	}

}
