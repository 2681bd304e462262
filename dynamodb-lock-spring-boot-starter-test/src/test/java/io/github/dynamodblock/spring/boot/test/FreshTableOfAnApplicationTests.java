/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A user's test of an application, in the table of which tests leave a lock held.
 */
@SpringBootTest(classes = Ledger.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@FreshLockTable
class FreshTableOfAnApplicationTests {

	@Autowired
	@SuppressWarnings("NullAway.Init")
	private Ledger ledger;

	@Autowired
	@SuppressWarnings("NullAway.Init")
	private LockClient lockClient;

	@RepeatedTest(2)
	void annotatedMethodFindsNoLockThatAnEarlierTestLeft() {
		assertThat(this.ledger.close()).isEqualTo("closed");
		assertThat(this.ledger.close()).as("while the lock is held at least").isNull();
	}

	@Test
	void tableIsInTheDynamoDbOfTheLocks(@Autowired DynamoDbClient dynamoDb) {
		assertThat(dynamoDb.listTables().tableNames()).containsExactly(this.lockClient.tableName())
			.allMatch((name) -> name.startsWith("fresh-locks-"));
	}

	@Nested
	class InANestedClass {

		@RepeatedTest(2)
		void tableIsTheSameAndEmptyToo() {
			assertThat(FreshTableOfAnApplicationTests.this.lockClient.list()).isEmpty();
		}

	}

}
