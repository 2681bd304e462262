/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.boot.autoconfigure.LockDynamoDbClient;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Users' tests with locks in memory, of applications that have a DynamoDB, and of slices.
 */
class InMemoryLocksTests {

	/** Stands for a developer's server, which no test may touch. */
	private static final InMemoryDynamoDb elsewhere = new InMemoryDynamoDb();

	@Nested
	@SpringBootTest(classes = Report.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	@InMemoryLocks
	class WithoutAutoConfiguration {

		@Test
		void theAnnotationBringsLocksAlong(@Autowired Report report, @Autowired LockTemplate template) {
			assertThat(report.write()).isTrue();
			assertThat(template.<Boolean>execute("k", HeldLock::isHeld)).isTrue();
		}

	}

	@Nested
	@SpringBootTest(classes = { Ledger.Application.class, ClientOfTheApplication.class },
			webEnvironment = SpringBootTest.WebEnvironment.NONE)
	@InMemoryLocks
	class InAnApplicationWithADynamoDb {

		@Test
		void locksUseTheOneOfTheTest(@Autowired Ledger ledger, @Autowired DynamoDbClient injected) {
			assertThat(ledger.post().key()).isEqualTo(LockKey.of(Ledger.KEY));
			assertThat(elsewhere.listTables().tableNames()).isEmpty();
			assertThat(injected).as("for the application's own items").isSameAs(elsewhere);
		}

	}

	@Nested
	@SpringBootTest(classes = { Ledger.Application.class, ClientForLocks.class },
			webEnvironment = SpringBootTest.WebEnvironment.NONE, properties = "dynamodb-lock.dynamodb.region=eu-west-1")
	@InMemoryLocks
	class InAnApplicationWithADynamoDbForLocks {

		@Test
		void itIsReplaced(@Autowired LockClient lockClient, @LockDynamoDbClient @Autowired DynamoDbClient forLocks,
				@Autowired ApplicationContext context) throws InterruptedException {
			assertThat(lockClient.tryAcquire("k")).isPresent();
			assertThat(elsewhere.listTables().tableNames()).isEmpty();
			assertThat(forLocks).isNotSameAs(elsewhere).isInstanceOf(InMemoryDynamoDb.class);
			assertThat(context.containsBean("locksDynamoDb")).isFalse();
		}

	}

	@Test
	void aLockClientOfTheApplicationWithItsOwnDynamoDbIsRefused() {
		TestContextManager test = new TestContextManager(OfAnApplicationWithALockClient.class);
		assertThatException().isThrownBy(() -> test.getTestContext().getApplicationContext())
			.havingRootCause()
			.withMessageContaining("@InMemoryLocks would have no effect on the LockClient bean 'ownLocks'")
			.withMessageContaining("[dynamoDb]");
		assertThat(elsewhere.listTables().tableNames()).isEmpty();
	}

	@SpringBootTest(classes = { ClientOfTheApplication.class, LockClientOfTheApplication.class },
			webEnvironment = SpringBootTest.WebEnvironment.NONE)
	@InMemoryLocks
	static class OfAnApplicationWithALockClient {

	}

	@Configuration(proxyBeanMethods = false)
	static class LockClientOfTheApplication {

		@Bean
		LockClient ownLocks(DynamoDbClient dynamoDb) {
			return LockClient.builder(dynamoDb).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ClientOfTheApplication {

		@Bean
		DynamoDbClient dynamoDb() {
			return elsewhere;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ClientForLocks {

		@Bean(defaultCandidate = false)
		@LockDynamoDbClient
		DynamoDbClient locksDynamoDb() {
			return elsewhere;
		}

	}

	static class Report {

		@DistributedLock(name = "report")
		boolean write() {
			return LockContext.current().orElseThrow().isHeld();
		}

	}

}
