/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Reads the lock table page by page: by Query within a partition, otherwise by Scan.
 */
final class LockPages {

	private final DynamoDbClient client;

	private final TableSchema schema;

	private final LockItem item;

	private final StoreErrors errors;

	LockPages(DynamoDbClient client, TableSchema schema, LockItem item, StoreErrors errors) {
		this.client = client;
		this.schema = schema;
		this.item = item;
		this.errors = errors;
	}

	PageAnswer read(PageRequest request, AwsRequestOverrideConfiguration limit) {
		String partition = request.partition();
		try {
			return (partition == null) ? scan(request, limit) : query(request, partition, limit);
		}
		catch (LockTableException wrongKey) {
			return new PageAnswer.Failed(wrongKey);
		}
		catch (Throwable ex) {
			// An interceptor of the application may throw anything, before or after the
			// call.
			return new PageAnswer.Failed(this.errors.explain((partition == null) ? "Scan" : "Query", ex));
		}
	}

	private PageAnswer scan(PageRequest request, AwsRequestOverrideConfiguration limit) {
		ScanRequest.Builder scan = ScanRequest.builder()
			.tableName(this.schema.tableName())
			.limit(request.size())
			.consistentRead(request.consistent())
			.exclusiveStartKey(position(request))
			.overrideConfiguration(limit);
		if (!this.schema.prefix().isEmpty()) {
			// Items without this key pass the filter: they show that the schema is wrong.
			scan.filterExpression("NOT attribute_type(#key, :string) OR begins_with(#key, :prefix)")
				.expressionAttributeNames(Map.of("#key", this.schema.partitionKeyName()))
				.expressionAttributeValues(Map.of(":string", AttributeValue.fromS("S"), ":prefix",
						AttributeValue.fromS(this.schema.prefix())));
		}
		ScanResponse response = this.client.scan(scan.build());
		return page(response.items(), response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of());
	}

	private PageAnswer query(PageRequest request, String partition, AwsRequestOverrideConfiguration limit) {
		AttributeValue stored = AttributeValue.fromS(this.schema.stored(LockKey.of(partition)).partition());
		QueryResponse response = this.client.query(QueryRequest.builder()
			.tableName(this.schema.tableName())
			.limit(request.size())
			.consistentRead(request.consistent())
			.exclusiveStartKey(position(request))
			.overrideConfiguration(limit)
			.keyConditionExpression("#key = :key")
			.expressionAttributeNames(Map.of("#key", this.schema.partitionKeyName()))
			.expressionAttributeValues(Map.of(":key", stored))
			.build());
		return page(response.items(), response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of());
	}

	private @Nullable Map<String, AttributeValue> position(PageRequest request) {
		return (request.after() == null) ? null : this.schema.attributes(request.after());
	}

	private PageAnswer page(List<Map<String, AttributeValue>> items, Map<String, AttributeValue> lastKey) {
		List<LockRecord> locks = new ArrayList<>();
		List<LockTableException> notLocks = new ArrayList<>();
		for (Map<String, AttributeValue> attributes : items) {
			LockKey stored = stored(attributes);
			try {
				locks.add(this.item.read(lock(stored), attributes));
			}
			catch (LockTableException notALock) {
				notLocks.add(notALock);
			}
		}
		LockKey last = lastKey.isEmpty() ? null : stored(lastKey);
		if (last != null && !lastKey.equals(this.schema.attributes(last))) {
			throw this.errors.wrongKey("The table's key has the attributes " + lastKey.keySet(), null);
		}
		return new PageAnswer.Page(locks, notLocks, last);
	}

	private LockKey stored(Map<String, AttributeValue> attributes) {
		LockKey stored = this.schema.stored(attributes);
		if (stored == null) {
			throw this.errors.wrongKey("An item of the table has only the attributes " + attributes.keySet()
					+ ", or a key in them that is not a string", null);
		}
		return stored;
	}

	private LockKey lock(LockKey stored) {
		LockKey lock = this.schema.lock(stored);
		if (lock == null) {
			throw new LockTableException(this.schema.tableName(), LockTableException.Problem.NOT_A_LOCK,
					"The item '" + stored + "' of table '" + this.schema.tableName()
							+ "' is not a lock of this client: its key has nothing after the namespace. "
							+ "It was not changed; delete it if it is not needed",
					null);
		}
		return lock;
	}

}
