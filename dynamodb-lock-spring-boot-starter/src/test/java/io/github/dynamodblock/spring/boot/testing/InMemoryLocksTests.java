/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.testing;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.github.dynamodblock.test.InMemoryLocks;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of an application without DynamoDB Local. */
class InMemoryLocksTests {

	@Test
	void anApplicationLocksInMemoryWithoutDynamoDbLocal() {
		LockNode.bare()
			.withBean("testDynamoDbClient", DynamoDbClient.class, InMemoryDynamoDb::new)
			.withPropertyValues("dynamodb-lock.table.name=memory", "dynamodb-lock.dynamodb.region=eu-west-1")
			.withBean(Report.class)
			.run((context) -> {
				assertThat(context.getBean(Report.class).write()).isTrue();
				assertThat(context.getBean(LockClient.class).find("report")).isPresent();
			});
	}

	@Nested
	@SpringBootTest(classes = Ledger.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	@InMemoryLocks
	class InAnApplication {

		@Test
		void annotatedMethodsRunUnderRealLocks(@Autowired Ledger ledger, @Autowired LockClient client)
				throws Exception {
			assertThat(ledger.post().key()).isEqualTo(LockKey.of(Ledger.KEY));
			try (HeldLock other = client.acquire("closing")) {
				assertThat(ledger.close()).isNull();
				assertThat(other.isHeld()).isTrue();
			}
		}

		@Test
		void noDynamoDbLocalRuns(@Autowired ApplicationContext context) {
			assertThat(context.getBeansOfType(DynamoDbClient.class)).containsOnlyKeys("testDynamoDbClient");
			assertThat(context.getBeansOfType(EmbeddedDynamoDb.class)).isEmpty();
		}

	}

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
	@SpringBootTest(classes = { Ledger.Application.class, OwnDynamoDb.class },
			webEnvironment = SpringBootTest.WebEnvironment.NONE)
	@InMemoryLocks
	class InAnApplicationWithItsOwnDynamoDb {

		@Test
		void thatIsUsed(@Autowired ApplicationContext context) {
			assertThat(context.getBeansOfType(DynamoDbClient.class)).containsOnlyKeys("ownDynamoDb");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnDynamoDb {

		@Bean
		DynamoDbClient ownDynamoDb() {
			return InMemoryDynamoDb.withLockTable("locks");
		}

	}

	static class Report {

		@DistributedLock(name = "report")
		boolean write() {
			return LockContext.current().orElseThrow().isHeld();
		}

	}

}
