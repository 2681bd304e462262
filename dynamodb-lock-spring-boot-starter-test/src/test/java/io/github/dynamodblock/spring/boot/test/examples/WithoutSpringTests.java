/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class WithoutSpringTests {

	private final NightlyReport report = new NightlyReport();

	@Test
	void twoNodesExcludeEachOther() throws Exception {
		DynamoDbClient dynamoDb = InMemoryDynamoDb.withLockTable("locks");
		try (LockClient node1 = LockClient.builder(dynamoDb).build();
				LockClient node2 = LockClient.builder(dynamoDb).build();
				HeldLock lock = node1.acquire("nightly-report")) {
			assertThat(node2.tryAcquire("nightly-report")).isEmpty();
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void theMethodSeesALock() {
		HeldLock lock = mock(HeldLock.class);
		given(lock.fencingToken()).willReturn(42L);
		try (LockContext.Scope scope = LockContext.open(mock(LockClient.class), lock)) {
			assertThat(this.report.write()).isEqualTo("written under 42");
		}
	}

}
