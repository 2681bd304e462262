/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.HashMap;
import java.util.Map;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The contract, on DynamoDB Local and on the tables in memory that tests of applications
 * use. The keys of each test are new, so that the tests of a class share a table:
 * DynamoDB in AWS needs seconds to create one.
 */
class DynamoDbLockStoreTests {

	/** The names that a table has unless said otherwise. */
	@Nested
	@Tag(TestDynamoDb.ANY)
	class WithTheUsualNames extends OnDynamoDb {

		private static final TableSchema TABLE = TestDynamoDb.newTable();

		WithTheUsualNames() {
			super(TABLE);
		}

	}

	/** Names that expressions cannot hold as they are. */
	@Nested
	@Tag(TestDynamoDb.ANY)
	class WithUnusualNames extends OnDynamoDb {

		private static final TableSchema TABLE = TestDynamoDb
			.create(new TableSchema(TestDynamoDb.newTableName(), "the.key", null, "the-token", "the_token"));

		WithUnusualNames() {
			super(TABLE);
		}

	}

	/** Keys that are not those of the table. */
	@Nested
	@Tag(TestDynamoDb.ANY)
	class InANamespace extends OnDynamoDb {

		private static final TableSchema TABLE = TestDynamoDb.newTable();

		InANamespace() {
			super(TABLE, "billing");
		}

	}

	/** Without DynamoDB Local. */
	@Nested
	class InMemory extends OnDynamoDb {

		InMemory() {
			super(new InMemoryDynamoDb(), TableSchema.of("locks"), null);
		}

	}

	/**
	 * Without DynamoDB Local, and with names that expressions cannot hold as they are.
	 */
	@Nested
	class InMemoryWithUnusualNames extends OnDynamoDb {

		InMemoryWithUnusualNames() {
			super(new InMemoryDynamoDb(), new TableSchema("locks", "the.key", null, "the-token", "the_token"),
					"billing");
		}

	}

	abstract static class OnDynamoDb extends LockStoreContract {

		private final DynamoDbClient client;

		private final TableSchema schema;

		private final LockStore store;

		private final String prefix;

		OnDynamoDb(TableSchema schema) {
			this(schema, null);
		}

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

		@Override
		void putForeignItem(LockKey key) {
			Map<String, AttributeValue> item = new HashMap<>();
			item.put(this.schema.partitionKeyName(), AttributeValue.fromS(this.prefix + key.partition()));
			item.put("price", AttributeValue.fromN("42"));
			this.client.putItem((request) -> request.tableName(this.schema.tableName()).item(item));
		}

		@Override
		boolean hasTimeToLive(LockKey key) {
			AttributeValue stored = AttributeValue.fromS(this.prefix + key.partition());
			AttributeValue time = this.client
				.getItem((request) -> request.tableName(this.schema.tableName())
					.key(Map.of(this.schema.partitionKeyName(), stored))
					.consistentRead(true))
				.item()
				.get(this.schema.timeToLiveName());
			// DynamoDB ignores a time to live that is not a number.
			return time != null && time.n() != null;
		}

	}

}
