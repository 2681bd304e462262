/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.testing;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

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

	static class Report {

		@DistributedLock(name = "report")
		boolean write() {
			return LockContext.current().orElseThrow().isHeld();
		}

	}

}
