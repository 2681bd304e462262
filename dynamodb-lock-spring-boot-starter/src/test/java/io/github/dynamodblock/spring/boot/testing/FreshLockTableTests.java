/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.testing;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.github.dynamodblock.test.FreshLockTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A user's test of an application, in the table of which tests leave a lock held.
 */
@SpringBootTest(classes = Ledger.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@FreshLockTable
class FreshLockTableTests {

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
	void tableIsInTheEmbeddedDynamoDb(@Autowired EmbeddedDynamoDb dynamoDb) {
		assertThat(dynamoDb.client().listTables().tableNames()).singleElement().asString().startsWith("fresh-locks-");
	}

	@Nested
	class InANestedClass {

		@RepeatedTest(2)
		void tableIsTheSameAndEmptyToo() {
			assertThat(FreshLockTableTests.this.lockClient.list()).isEmpty();
		}

	}

}
