/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of listing, on DynamoDB Local and on the tables in memory that tests of
 * applications use.
 */
class DynamoDbLockListingTests {

	private static TableSchema unusual(@Nullable String sortKeyName) {
		return new TableSchema(TestDynamoDb.newTableName(), "the.key", sortKeyName, "the-token", "the_token");
	}

	/** The names that a table has unless said otherwise. */
	@Nested
	@Tag(TestDynamoDb.ANY)
	class WithTheUsualNames extends OnDynamoDb {

		private static final TableSchema TABLE = TestDynamoDb.newTable();

		WithTheUsualNames() {
			super(TABLE, null);
		}

	}

	/** Names that expressions cannot hold as they are. */
	@Nested
	@Tag(TestDynamoDb.ANY)
	class WithUnusualNames extends OnDynamoDb {

		private static final TableSchema TABLE = TestDynamoDb.create(unusual(null));

		WithUnusualNames() {
			super(TABLE, "the.namespace");
		}

	}

	/** Several locks in a partition. */
	@Nested
	@Tag(TestDynamoDb.ANY)
	class WithASortKey extends OnDynamoDb {

		private static final TableSchema TABLE = TestDynamoDb.create(unusual("the.sort.key"));

		WithASortKey() {
			super(TABLE, null);
		}

		@Test
		void aPartitionGivesItsLocksInTheOrderOfTheirSortKeysWithAnyPageSize() {
			List<LockKey> keys = IntStream.range(0, 7)
				.mapToObj((number) -> claim(LockKey.of("orders", Integer.toString(number))))
				.toList();
			claim(LockKey.of("orders-42", "1"));
			for (int size : new int[] { 1, 2, 3, 1000 }) {
				assertThat(list("orders", size).locks()).extracting(LockRecord::key).containsExactlyElementsOf(keys);
			}
		}

	}

	/** Keys that are not those of the table, and a table that others use. */
	@Nested
	@Tag(TestDynamoDb.ANY)
	class InANamespace extends OnDynamoDb {

		private static final TableSchema TABLE = TestDynamoDb.newTable("part");

		InANamespace() {
			super(TABLE, "billing-" + UUID.randomUUID());
		}

		@Test
		void itemsOfOtherNamespacesAreNotListedEvenWhereTheyFillPages() {
			LockKey key = claim(LockKey.of("orders", "1"));
			String namespace = namespace();
			for (String other : new String[] { namespace, namespace + "-2/orders",
					namespace.substring(0, namespace.length() - 1), "orders", "shop/" + namespace + "/orders" }) {
				putForeignItem(other, "1");
			}
			Listing listing = list(null, 1);
			assertThat(listing.locks()).extracting(LockRecord::key).containsExactly(key);
			assertThat(listing.notLocks()).isEmpty();
			assertThat(listing.pages()).hasSizeGreaterThanOrEqualTo(6).anySatisfy((page) -> assertThat(page).isEmpty());
			assertThat(list("orders", 1).locks()).extracting(LockRecord::key).containsExactly(key);
		}

		@Test
		void aKeyWithNothingAfterTheNamespaceIsReported() {
			putForeignItem(namespace() + "/", "1");
			LockKey key = claim(LockKey.of("orders", "1"));
			Listing listing = list(null, 100);
			assertThat(listing.locks()).extracting(LockRecord::key).containsExactly(key);
			assertThat(listing.notLocks()).singleElement()
				.satisfies(
						(problem) -> assertThat(problem)
							.isInstanceOfSatisfying(LockTableException.class,
									(unfit) -> assertThat(unfit.problem())
										.isEqualTo(LockTableException.Problem.NOT_A_LOCK))
							.hasMessageContaining("'" + namespace() + "//1'")
							.hasMessageContaining("nothing after the namespace"));
		}

	}

	/** Without DynamoDB Local. */
	@Nested
	class InMemory extends OnDynamoDb {

		InMemory() {
			super(new InMemoryDynamoDb(), TableSchema.of("locks"), null);
		}

	}

	/** Without DynamoDB Local, with several locks in a partition of a namespace. */
	@Nested
	class InMemoryWithASortKeyAndANamespace extends OnDynamoDb {

		InMemoryWithASortKeyAndANamespace() {
			super(new InMemoryDynamoDb(), unusual("the.sort.key"), "the.namespace");
		}

	}

	abstract static class OnDynamoDb extends LockListingContract {

		private final DynamoDbClient client;

		private final TableSchema schema;

		private final String prefix;

		private final LockStore store;

		OnDynamoDb(TableSchema schema, @Nullable String namespace) {
			this(TestDynamoDb.client(), namespace, schema);
		}

		OnDynamoDb(InMemoryDynamoDb client, TableSchema schema, @Nullable String namespace) {
			this(client, namespace, TestDynamoDb.create(client, schema));
		}

		private OnDynamoDb(DynamoDbClient client, @Nullable String namespace, TableSchema schema) {
			this.client = client;
			this.schema = schema;
			this.prefix = (namespace == null) ? "" : namespace + "/";
			this.store = new DynamoDbLockStore(client, TestDynamoDb.inNamespace(schema, namespace));
		}

		@Override
		LockStore store() {
			return this.store;
		}

		/** The namespace; empty if there is none. */
		String namespace() {
			return this.prefix.isEmpty() ? "" : this.prefix.substring(0, this.prefix.length() - 1);
		}

		@Override
		LockKey key(String partition, int number) {
			return (this.schema.sortKeyName() == null) ? LockKey.of(partition)
					: LockKey.of(partition, Integer.toString(number));
		}

		@Override
		void putForeignItem(LockKey key) {
			putForeignItem(this.prefix + key.partition(), key.sort());
		}

		void putForeignItem(String partition, @Nullable String sort) {
			Map<String, AttributeValue> item = new HashMap<>();
			item.put(this.schema.partitionKeyName(), AttributeValue.fromS(partition));
			if (this.schema.sortKeyName() != null) {
				item.put(this.schema.sortKeyName(), AttributeValue.fromS(sort));
			}
			item.put("price", AttributeValue.fromN("42"));
			this.client.putItem((request) -> request.tableName(this.schema.tableName()).item(item));
		}

	}

}
