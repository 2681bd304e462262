/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.HashMap;
import java.util.Map;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ForcedReleaseTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private final LockClient client = client(false);

	private final LockClient deleting = client(true);

	@AfterEach
	void close() {
		this.client.close();
		this.deleting.close();
	}

	@Test
	void aClientThatDeletesOnReleaseDeletesTheItem() throws Exception {
		try (HeldLock lock = this.client.acquire("k")) {
			assertThat(this.deleting.forceRelease(lock.key(), "nobody")).isEqualTo(ReleaseOutcome.HELD_BY_ANOTHER);
			assertThat(this.client.find("k")).isPresent();
			assertThat(this.deleting.forceRelease(lock.key(), this.client.ownerName()))
				.isEqualTo(ReleaseOutcome.RELEASED);
			assertThat(this.client.find("k")).isEmpty();
			assertThat(this.deleting.forceRelease(lock.key(), this.client.ownerName()))
				.isEqualTo(ReleaseOutcome.ALREADY_FREE);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ownerName", "leaseDuration", "recordVersionNumber" })
	void anItemThatIsNotQuiteALockIsLeftAlone(String attribute) {
		for (AttributeValue value : new AttributeValue[] { null, AttributeValue.fromN("7") }) {
			Map<String, AttributeValue> item = new HashMap<>(
					Map.of("key", AttributeValue.fromS("k"), "ownerName", AttributeValue.fromS("me"), "leaseDuration",
							AttributeValue.fromS("20000"), "recordVersionNumber", AttributeValue.fromS("v")));
			item.remove(attribute);
			if (value != null) {
				item.put(attribute, value);
			}
			TestDynamoDb.client().putItem((put) -> put.tableName(this.table.tableName()).item(item));
			for (LockClient each : new LockClient[] { this.client, this.deleting }) {
				assertThatExceptionOfType(LockTableException.class)
					.isThrownBy(() -> each.forceRelease(LockKey.of("k"), "me"))
					.satisfies((refusal) -> assertThat(refusal.problem())
						.isEqualTo(LockTableException.Problem.NOT_A_LOCK));
				assertThat(item()).isEqualTo(item);
			}
		}
	}

	private Map<String, AttributeValue> item() {
		return TestDynamoDb.client()
			.getItem((get) -> get.tableName(this.table.tableName())
				.consistentRead(true)
				.key(Map.of("key", AttributeValue.fromS("k"))))
			.item();
	}

	private LockClient client(boolean deleteOnRelease) {
		return LockClient.builder(TestDynamoDb.client())
			.tableName(this.table.tableName())
			.deleteOnRelease(deleteOnRelease)
			.build();
	}

}
