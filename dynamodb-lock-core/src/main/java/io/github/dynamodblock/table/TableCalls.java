/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.store.StoreErrors;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

/**
 * Calls that create and describe the table. A failure is a {@link LockException} that
 * says how to fix it.
 */
final class TableCalls {

	// With the SDK's defaults, one call to a silent endpoint can take minutes.
	private static final Duration CALL_LIMIT = Duration.ofSeconds(30);

	private static final AwsRequestOverrideConfiguration LIMIT = AwsRequestOverrideConfiguration.builder()
		.apiCallTimeout(CALL_LIMIT)
		.build();

	private final DynamoDbClient client;

	private final TableSchema schema;

	private final StoreErrors errors;

	TableCalls(DynamoDbClient client, TableSchema schema) {
		this.client = client;
		this.schema = schema;
		this.errors = new StoreErrors(client, schema);
	}

	/** The table, or {@code null} if there is none. */
	@Nullable TableDescription find() {
		try {
			return describe();
		}
		catch (ResourceNotFoundException ex) {
			return null;
		}
		catch (RuntimeException ex) {
			throw this.errors.explain("DescribeTable", ex);
		}
	}

	TableDescription get() {
		return call("DescribeTable", this::describe);
	}

	private TableDescription describe() {
		return this.client
			.describeTable((request) -> request.tableName(this.schema.tableName()).overrideConfiguration(LIMIT))
			.table();
	}

	/** Creates the table; {@code false} if another call has just done so. */
	boolean create(TableSettings settings) {
		List<KeySchemaElement> keys = new ArrayList<>();
		keys.add(key(this.schema.partitionKeyName(), KeyType.HASH));
		if (this.schema.sortKeyName() != null) {
			keys.add(key(this.schema.sortKeyName(), KeyType.RANGE));
		}
		ProvisionedThroughput throughput = settings.throughput();
		CreateTableRequest request = CreateTableRequest.builder()
			.tableName(this.schema.tableName())
			.keySchema(keys)
			.attributeDefinitions(keys.stream().map(TableCalls::definition).toList())
			.billingMode((throughput == null) ? BillingMode.PAY_PER_REQUEST : BillingMode.PROVISIONED)
			.provisionedThroughput(throughput)
			.overrideConfiguration(LIMIT)
			.build();
		return call("CreateTable", () -> {
			try {
				this.client.createTable(request);
				return true;
			}
			catch (ResourceInUseException ex) {
				return false;
			}
		});
	}

	TimeToLiveDescription timeToLive() {
		return call("DescribeTimeToLive",
				() -> this.client
					.describeTimeToLive(
							(request) -> request.tableName(this.schema.tableName()).overrideConfiguration(LIMIT))
					.timeToLiveDescription());
	}

	/** Enables time to live; {@code false} if another call may have just done so. */
	boolean enableTimeToLive() {
		return call("UpdateTimeToLive", () -> {
			try {
				this.client.updateTimeToLive((request) -> request.tableName(this.schema.tableName())
					.timeToLiveSpecification((to) -> to.enabled(true).attributeName(this.schema.timeToLiveName()))
					.overrideConfiguration(LIMIT));
				return true;
			}
			catch (ResourceInUseException ex) {
				return false;
			}
			catch (DynamoDbException ex) {
				if (wasJustChanged(ex)) {
					return false;
				}
				throw ex;
			}
		});
	}

	private static boolean wasJustChanged(DynamoDbException error) {
		String message = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
		return message.contains("already enabled") || message.contains("timetolive is active on")
				|| message.contains("modified multiple times");
	}

	private static KeySchemaElement key(String name, KeyType type) {
		return KeySchemaElement.builder().attributeName(name).keyType(type).build();
	}

	private static AttributeDefinition definition(KeySchemaElement key) {
		return AttributeDefinition.builder()
			.attributeName(key.attributeName())
			.attributeType(ScalarAttributeType.S)
			.build();
	}

	private <T> T call(String operation, Supplier<T> call) {
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			throw this.errors.explain(operation, ex);
		}
	}

}
