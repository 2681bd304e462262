/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.util.List;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.spring.boot.autoconfigure.LockDynamoDbClient;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.RepeatedTest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A user's test of an application whose locks have a DynamoDbClient that nothing else is
 * injected, and a second lock client.
 */
@SpringBootTest(classes = QualifiedClientTests.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@FreshLockTable
class QualifiedClientTests {

	@Autowired
	@SuppressWarnings("NullAway.Init")
	private LockClient lockClient;

	@Autowired
	@Qualifier("reports")
	@SuppressWarnings("NullAway.Init")
	private LockClient reports;

	@RepeatedTest(2)
	void tablesOfAllLockClientsAreEmpty() throws InterruptedException {
		for (LockClient client : List.of(this.lockClient, this.reports)) {
			assertThat(client.tableName()).startsWith("fresh-locks-");
			assertThat(client.list()).isEmpty();
			client.acquire("k").release();
			assertThat(client.list()).as("a released lock stays").hasSize(1);
		}
	}

	@RepeatedTest(2)
	void locksThatAnEarlierTestLeftHeldAreFree() throws InterruptedException {
		assertThat(this.lockClient.tryAcquire("left")).isPresent();
		assertThat(this.reports.tryAcquire("left")).isPresent();
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Ledger.Application.class)
	static class Application {

		@Bean(defaultCandidate = false)
		@LockDynamoDbClient
		DynamoDbClient clientOfLocks() {
			return new InMemoryDynamoDb();
		}

		@Bean(defaultCandidate = false)
		LockClient reports(LockClientBuilder builder) {
			return builder.namespace("reports").build();
		}

	}

}
