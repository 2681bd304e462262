/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.Map;

import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The fencing token under another name.
 */
class FencingTokenAttributeTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private LockClientBuilder builder() {
		return LockClient.builder(TestDynamoDb.client()).tableName(this.table.tableName());
	}

	@Test
	void theFencingTokenIsKeptUnderTheNameThatIsConfigured() throws Exception {
		try (LockClient first = builder().fencingTokenAttributeName("token").build();
				LockClient second = builder().fencingTokenAttributeName("token").build()) {
			HeldLock lock = first.acquire("orders");
			lock.release();
			assertThat(item("orders")).containsEntry("token", AttributeValue.fromN(Long.toString(lock.fencingToken())))
				.doesNotContainKey("fencingToken");
			assertThat(second.acquire("orders").fencingToken()).isEqualTo(lock.fencingToken() + LockWrite.Claim.TOKENS);
			assertThat(first.find("orders").orElseThrow().fencingToken())
				.hasValue(lock.fencingToken() + LockWrite.Claim.TOKENS);
		}
	}

	@Test
	void aFencingTokenUnderTheNameOfAnotherAttributeIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> builder().fencingTokenAttributeName("leaseDuration").build())
			.withMessageContaining("fencingTokenAttributeName")
			.withMessageContaining("leaseDuration");
	}

	private Map<String, AttributeValue> item(String key) {
		return TestDynamoDb.client()
			.getItem((get) -> get.tableName(this.table.tableName())
				.key(Map.of("key", AttributeValue.fromS(key)))
				.consistentRead(true))
			.item();
	}

}
