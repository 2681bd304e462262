/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.testing;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbConnectionDetails;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;

import static org.assertj.core.api.Assertions.assertThat;

/** DynamoDB Local in a container. Skipped if no Docker engine answers. */
@SpringBootTest
@Testcontainers(disabledWithoutDocker = true)
class ContainerTests {

	@Container
	@ServiceConnection
	static final GenericContainer<?> dynamoDb = new GenericContainer<>("amazon/dynamodb-local:3.3.1")
		.withExposedPorts(8000);

	@Autowired
	Invoices invoices;

	@Autowired
	LockClient lockClient;

	@Autowired
	DynamoDbConnectionDetails connection;

	@Test
	void theLockIsInTheContainer() {
		assertThat(this.connection.getEndpoint()).hasPort(dynamoDb.getMappedPort(8000));
		this.invoices.write("17");
		assertThat(this.lockClient.find("invoice:17")).isPresent();
	}

}
