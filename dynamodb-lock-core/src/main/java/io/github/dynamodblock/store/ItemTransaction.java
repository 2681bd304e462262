/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Guard;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * A transaction of the application, checked against what DynamoDB accepts.
 *
 * @param request the request, with the client request token by which DynamoDB recognizes
 * a repetition
 */
public record ItemTransaction(TransactWriteItemsRequest request) {

	/** Heartbeats do not affect this condition. */
	private static final String HELD = "ownerName = :owner AND #token = :token AND isReleased <> :released";

	/** DynamoDB allows 100, including the lock's item. */
	private static final int MOST_ITEMS = 99;

	private static final long LARGEST = 4L * 1024 * 1024;

	/**
	 * Checks a transaction that commits only if a lock is held; throws
	 * {@link IllegalArgumentException} if DynamoDB would not accept it.
	 */
	public static ItemTransaction of(LockKey key, TransactWriteItemsRequest request, TableSchema schema) {
		List<TransactWriteItem> items = request.transactItems();
		if (items.isEmpty() || items.size() > MOST_ITEMS) {
			throw new IllegalArgumentException(
					"The guarded write of lock '" + key + "' has " + items.size() + " items; it must have 1 to "
							+ MOST_ITEMS + ", because DynamoDB allows 100 and the lock's item is one of them");
		}
		long size = 0;
		for (int index = 0; index < items.size(); index++) {
			Part part = Part.of(items.get(index));
			if (part == null) {
				throw new IllegalArgumentException("Item " + index + " of the guarded write of lock '" + key
						+ "' is empty; it must have a put, an update, a delete or a condition check");
			}
			part.checkIsNotTheLock(key, index, schema);
			size += part.size();
		}
		if (size > LARGEST) {
			throw new IllegalArgumentException(
					"The guarded write of lock '" + key + "' has about " + size + " bytes or more; DynamoDB allows "
							+ LARGEST + " in one transaction. Write fewer or smaller items");
		}
		boolean hasToken = request.clientRequestToken() != null;
		return new ItemTransaction(
				hasToken ? request : request.toBuilder().clientRequestToken(UUID.randomUUID().toString()).build());
	}

	/** Returns the condition that the owner holds the lock under its fencing token. */
	static ConditionCheck check(Guard guard, TableSchema schema) {
		return ConditionCheck.builder()
			.tableName(schema.tableName())
			.key(schema.item(guard.key()))
			.conditionExpression(HELD)
			.expressionAttributeNames(Map.of("#token", schema.fencingTokenName()))
			.expressionAttributeValues(Map.of(":owner", AttributeValue.fromS(guard.ownerName()), ":token",
					AttributeValue.fromN(Long.toString(guard.fencingToken())), ":released",
					AttributeValue.fromS(LockItem.RELEASED)))
			.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
			.build();
	}

	/**
	 * Returns the request with the condition on the lock as its last item, so
	 * cancellation reasons keep their order.
	 */
	TransactWriteItemsRequest guarded(Guard guard, TableSchema schema, AwsRequestOverrideConfiguration limit) {
		List<TransactWriteItem> items = new ArrayList<>(this.request.transactItems());
		items.add(TransactWriteItem.builder().conditionCheck(check(guard, schema)).build());
		AwsRequestOverrideConfiguration override = this.request.overrideConfiguration().map((given) -> {
			AwsRequestOverrideConfiguration.Builder both = given.toBuilder()
				.apiCallTimeout(limit.apiCallTimeout().orElseThrow());
			limit.plugins().forEach(both::addPlugin);
			return both.build();
		}).orElse(limit);
		return this.request.toBuilder().transactItems(items).overrideConfiguration(override).build();
	}

	/**
	 * Returns the ARN of a table that is in another region than the lock table, or
	 * {@code null}.
	 * @param region the region that is called; empty if it is unknown
	 */
	@Nullable String tableElsewhere(TableSchema schema, String region) {
		String wanted = Objects.requireNonNullElse(regionOf(schema.tableName()), region);
		return this.request.transactItems()
			.stream()
			.map((item) -> Objects.requireNonNull(Part.of(item)).table())
			.filter((table) -> !wanted.isEmpty() && !wanted.equals(Objects.requireNonNullElse(regionOf(table), wanted)))
			.findFirst()
			.orElse(null);
	}

	/** Returns the region of an ARN, or {@code null} for a name. */
	private static @Nullable String regionOf(@Nullable String table) {
		String[] parts = Objects.requireNonNullElse(table, "").split(":", 5);
		return (parts.length == 5) ? parts[3] : null;
	}

	/**
	 * One item of a transaction.
	 *
	 * @param key the key attributes, or all attributes of a put
	 * @param values the values that the item may write
	 */
	private record Part(@Nullable String table, Map<String, AttributeValue> key, Map<String, AttributeValue> values) {

		/** Returns the part, or {@code null} if the item is empty. */
		static @Nullable Part of(TransactWriteItem item) {
			if (item.put() != null) {
				return new Part(item.put().tableName(), item.put().item(), Map.of());
			}
			if (item.update() != null) {
				return new Part(item.update().tableName(), item.update().key(),
						item.update().expressionAttributeValues());
			}
			if (item.delete() != null) {
				return new Part(item.delete().tableName(), item.delete().key(), Map.of());
			}
			if (item.conditionCheck() != null) {
				return new Part(item.conditionCheck().tableName(), item.conditionCheck().key(), Map.of());
			}
			return null;
		}

		void checkIsNotTheLock(LockKey lock, int index, TableSchema schema) {
			boolean sameTable = nameOf(this.table).equals(nameOf(schema.tableName()));
			if (sameTable && this.key.entrySet().containsAll(schema.item(lock).entrySet())) {
				throw new IllegalArgumentException("Item " + index + " of the guarded write of lock '" + lock
						+ "' is the item of the lock itself, which a transaction cannot contain twice. Change it with "
						+ "HeldLock.renew or HeldLock.release");
			}
		}

		private static String nameOf(@Nullable String table) {
			String name = Objects.requireNonNullElse(table, "");
			return name.substring(name.lastIndexOf('/') + 1);
		}

		long size() {
			return ItemRules.size(this.key, ItemRules.SMALLEST_NUMBER)
					+ ItemRules.size(this.values, ItemRules.SMALLEST_NUMBER);
		}

	}

}
