/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.List;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Listing on a table that several namespaces share.
 */
class NamespaceListTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private final CallRecorder calls = new CallRecorder();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.calls);

	private final LockClient billing = client("billing");

	private final LockClient shop = client("shop");

	private final LockClient raw = client(null);

	private LockClient client(@Nullable String namespace) {
		return LockClient.builder(this.dynamoDb).tableName(this.table.tableName()).namespace(namespace).build();
	}

	@AfterEach
	void close() {
		List.of(this.billing, this.shop, this.raw).forEach(LockClient::close);
		this.dynamoDb.close();
	}

	@Test
	void aNamespaceListsItsOwnLocksAndNoNamespaceListsAll() throws Exception {
		for (LockClient client : List.of(this.billing, this.shop, this.raw)) {
			client.acquire("orders");
		}
		this.raw.acquire("billing-2/orders");
		ListRequest onePerPage = ListRequest.all().pageSize(1);
		assertThat(this.billing.list(onePerPage)).extracting(LockRecord::key).containsExactly(LockKey.of("orders"));
		assertThat(this.shop.list(onePerPage)).extracting(LockRecord::key).containsExactly(LockKey.of("orders"));
		assertThat(this.billing.list()).extracting(LockRecord::ownerName).containsExactly(this.billing.ownerName());
		assertThat(this.raw.list(onePerPage)).extracting((lock) -> lock.key().partition())
			.containsExactlyInAnyOrder("billing/orders", "shop/orders", "orders", "billing-2/orders");
	}

	@Test
	void aPartitionIsListedInItsNamespaceOnly() throws Exception {
		this.billing.acquire("orders");
		this.raw.acquire("orders");
		assertThat(this.billing.listPartition("orders")).extracting(LockRecord::ownerName)
			.containsExactly(this.billing.ownerName());
		assertThat(this.raw.listPartition("billing/orders")).extracting(LockRecord::key)
			.containsExactly(LockKey.of("billing/orders"));
		assertThat(this.shop.listPartition("orders")).isEmpty();
	}

	@Test
	void namespaceAndPartitionObeyTheLimitTogetherBeforeAnythingIsSent() throws Exception {
		String fits = "ä".repeat(1020);
		this.billing.acquire(fits);
		assertThat(this.billing.listPartition(fits)).hasSize(1);
		this.calls.clear();
		NamespaceTests.refused(fits + "k", () -> this.billing.listPartition(fits + "k"));
		assertThat(this.calls.operations()).isEmpty();
	}

	@Test
	void aSortKeyStaysAsItIs() throws Exception {
		TableSchema sorted = TestDynamoDb.newTable("part");
		try (LockClient client = LockClient.builder(this.dynamoDb)
			.tableName(sorted.tableName())
			.sortKeyName("part")
			.namespace("billing")
			.build()) {
			client.acquire(LockRequest.of(LockKey.of("orders", "2")));
			client.acquire(LockRequest.of(LockKey.of("orders", "1")));
			assertThat(client.listPartition("orders")).extracting(LockRecord::key)
				.containsExactly(LockKey.of("orders", "1"), LockKey.of("orders", "2"));
			assertThat(client.list()).hasSize(2);
		}
	}

}
