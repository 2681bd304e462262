/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * The one DynamoDB Local of all tests in this JVM. Each test has a table of its own, so
 * that tests need no order and can run at the same time.
 */
public final class TestDynamoDb {

	/** The tag of tests that {@link #use} runs on another DynamoDB. */
	public static final String ANY = "any-dynamodb";

	private static volatile @Nullable DynamoDbClient another;

	private static volatile String prefix = "locks-";

	private TestDynamoDb() {
	}

	/**
	 * Runs the tests that have the tag {@link #ANY} on another DynamoDB. To be called
	 * before the first of them.
	 * @param client its client
	 * @param tableNames how the names of all tables begin
	 */
	public static void use(DynamoDbClient client, String tableNames) {
		prefix = tableNames;
		another = client;
	}

	/** A client that all tests share; nobody closes it. */
	public static DynamoDbClient client() {
		DynamoDbClient client = another;
		return (client != null) ? client : Server.INSTANCE.client();
	}

	/** A client of the test's own, for an interceptor or other settings; to be closed. */
	public static DynamoDbClient newClient(Consumer<DynamoDbClientBuilder> settings) {
		return Server.INSTANCE.newClient(settings);
	}

	/**
	 * A client of the test's own whose calls are recorded, or go wrong as the test says;
	 * to be closed.
	 */
	public static DynamoDbClient newClient(ExecutionInterceptor... interceptors) {
		return newClient((builder) -> builder
			.overrideConfiguration((override) -> List.of(interceptors).forEach(override::addExecutionInterceptor)));
	}

	/** Like {@link #newClient}, but no call is repeated by the SDK itself. */
	public static DynamoDbClient newClientWithoutRetries(ExecutionInterceptor... interceptors) {
		return newClient((builder) -> builder.overrideConfiguration((override) -> {
			override.retryStrategy(AwsRetryStrategy.doNotRetry());
			List.of(interceptors).forEach(override::addExecutionInterceptor);
		}));
	}

	public static URI endpoint() {
		return Server.INSTANCE.endpoint();
	}

	/** A name that no table has. */
	public static String newTableName() {
		return prefix + UUID.randomUUID();
	}

	/** A new table with the usual names and no sort key. */
	public static TableSchema newTable() {
		return create(TableSchema.of(newTableName()));
	}

	/** A new table with the usual names and a sort key. */
	public static TableSchema newTable(String sortKeyName) {
		return create(new TableSchema(newTableName(), TableSchema.DEFAULT_PARTITION_KEY, sortKeyName,
				TableSchema.DEFAULT_FENCING_TOKEN, TableSchema.DEFAULT_TIME_TO_LIVE));
	}

	/** Creates the table that the schema describes. */
	public static TableSchema create(TableSchema schema) {
		return create(schema, ScalarAttributeType.S);
	}

	/** Creates a table whose keys have the schema's names, but perhaps another type. */
	public static TableSchema create(TableSchema schema, ScalarAttributeType keyType) {
		return create(client(), schema, keyType);
	}

	/** Creates the table that the schema describes, in another DynamoDB. */
	public static TableSchema create(DynamoDbClient client, TableSchema schema) {
		return create(client, schema, ScalarAttributeType.S);
	}

	private static TableSchema create(DynamoDbClient client, TableSchema schema, ScalarAttributeType keyType) {
		List<AttributeDefinition> definitions = new ArrayList<>();
		List<KeySchemaElement> keys = new ArrayList<>();
		definitions.add(definition(schema.partitionKeyName(), keyType));
		keys.add(key(schema.partitionKeyName(), KeyType.HASH));
		if (schema.sortKeyName() != null) {
			definitions.add(definition(schema.sortKeyName(), keyType));
			keys.add(key(schema.sortKeyName(), KeyType.RANGE));
		}
		client.createTable((request) -> request.tableName(schema.tableName())
			.attributeDefinitions(definitions)
			.keySchema(keys)
			.billingMode(BillingMode.PAY_PER_REQUEST));
		client.waiter().waitUntilTableExists((request) -> request.tableName(schema.tableName()));
		return schema;
	}

	private static AttributeDefinition definition(String name, ScalarAttributeType type) {
		return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
	}

	private static KeySchemaElement key(String name, KeyType type) {
		return KeySchemaElement.builder().attributeName(name).keyType(type).build();
	}

	/** Started by the first test that needs it; ends with the JVM. */
	private static final class Server {

		static final EmbeddedDynamoDb INSTANCE = EmbeddedDynamoDb.start();

	}

	/**
	 * Returns the schema of the same table for the locks of a namespace, or without one.
	 */
	public static TableSchema inNamespace(TableSchema schema, @Nullable String namespace) {
		return new TableSchema(schema.tableName(), schema.partitionKeyName(), schema.sortKeyName(),
				schema.fencingTokenName(), schema.timeToLiveName(), namespace);
	}

}
