/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A conditional write of one item, alone or in a transaction.
 *
 * @param tableName the table
 * @param kind what it does
 * @param item the key, or the whole item that is put
 * @param condition the condition, or {@code null} for none
 * @param update the update, or {@code null} for none
 * @param names the names of placeholders
 * @param values the values of placeholders
 * @param showsItem whether a transaction that it cancels shows the item
 */
record ItemWrite(String tableName, Kind kind, Map<String, AttributeValue> item, @Nullable String condition,
		@Nullable String update, Map<String, String> names, Map<String, AttributeValue> values, boolean showsItem) {

	static ItemWrite of(PutItemRequest put) {
		return new ItemWrite(put.tableName(), Kind.PUT, put.item(), put.conditionExpression(), null,
				put.expressionAttributeNames(), put.expressionAttributeValues(), false);
	}

	static ItemWrite of(UpdateItemRequest update) {
		return new ItemWrite(update.tableName(), Kind.UPDATE, update.key(), update.conditionExpression(),
				update.updateExpression(), update.expressionAttributeNames(), update.expressionAttributeValues(),
				false);
	}

	static ItemWrite of(DeleteItemRequest delete) {
		return new ItemWrite(delete.tableName(), Kind.DELETE, delete.key(), delete.conditionExpression(), null,
				delete.expressionAttributeNames(), delete.expressionAttributeValues(), false);
	}

	static ItemWrite of(TransactWriteItem write) {
		if (write.put() != null) {
			Put put = write.put();
			return new ItemWrite(put.tableName(), Kind.PUT, put.item(), put.conditionExpression(), null,
					put.expressionAttributeNames(), put.expressionAttributeValues(),
					shows(put.returnValuesOnConditionCheckFailure()));
		}
		if (write.update() != null) {
			Update update = write.update();
			return new ItemWrite(update.tableName(), Kind.UPDATE, update.key(), update.conditionExpression(),
					update.updateExpression(), update.expressionAttributeNames(), update.expressionAttributeValues(),
					shows(update.returnValuesOnConditionCheckFailure()));
		}
		if (write.delete() != null) {
			Delete delete = write.delete();
			return new ItemWrite(delete.tableName(), Kind.DELETE, delete.key(), delete.conditionExpression(), null,
					delete.expressionAttributeNames(), delete.expressionAttributeValues(),
					shows(delete.returnValuesOnConditionCheckFailure()));
		}
		ConditionCheck check = write.conditionCheck();
		return new ItemWrite(check.tableName(), Kind.CHECK, check.key(), check.conditionExpression(), null,
				check.expressionAttributeNames(), check.expressionAttributeValues(),
				shows(check.returnValuesOnConditionCheckFailure()));
	}

	private static boolean shows(@Nullable ReturnValuesOnConditionCheckFailure onFailure) {
		return onFailure == ReturnValuesOnConditionCheckFailure.ALL_OLD;
	}

	/** The item as it is now, without attributes if there is none. */
	Map<String, AttributeValue> before(MemoryTable table) {
		return table.get(key(table));
	}

	boolean isAllowed(Map<String, AttributeValue> before) {
		return ConditionExpression.holds(this.condition, this.names, this.values, before);
	}

	/** Carries it out, whatever its condition. Returns the item after it. */
	Map<String, AttributeValue> apply(MemoryTable table) {
		Map<String, AttributeValue> after = after(table);
		if (this.kind == Kind.DELETE) {
			table.remove(this.item);
		}
		else if (this.kind != Kind.CHECK) {
			table.put(after);
		}
		return after;
	}

	private Map<String, AttributeValue> after(MemoryTable table) {
		if (this.kind != Kind.UPDATE) {
			return (this.kind == Kind.PUT) ? this.item : Map.of();
		}
		Map<String, AttributeValue> before = new HashMap<>(before(table));
		before.putAll(this.item);
		return UpdateExpression.apply(this.update, this.names, this.values, before, table.keyNames());
	}

	private Map<String, AttributeValue> key(MemoryTable table) {
		if (this.kind != Kind.PUT) {
			return this.item;
		}
		Map<String, AttributeValue> key = new HashMap<>(this.item);
		key.keySet().retainAll(table.keyNames());
		return key;
	}

	/**
	 * Requires that all writes of a transaction are allowed, and can be carried out.
	 * @param writes the writes
	 * @param tables finds a write's table
	 * @throws TransactionCanceledException if one is not allowed
	 */
	static void requireAllowed(List<ItemWrite> writes, Function<ItemWrite, MemoryTable> tables) {
		List<CancellationReason> reasons = new ArrayList<>();
		boolean allowed = true;
		for (ItemWrite write : writes) {
			Map<String, AttributeValue> before = write.before(tables.apply(write));
			if (write.isAllowed(before)) {
				write.after(tables.apply(write));
				reasons.add(CancellationReason.builder().code("None").build());
			}
			else {
				allowed = false;
				reasons.add(CancellationReason.builder()
					.code("ConditionalCheckFailed")
					.message("The conditional request failed")
					.item((write.showsItem && !before.isEmpty()) ? before : null)
					.build());
			}
		}
		if (!allowed) {
			String message = "Transaction cancelled, please refer cancellation reasons for specific reasons "
					+ reasons.stream().map(CancellationReason::code).toList();
			throw TransactionCanceledException.builder()
				.cancellationReasons(reasons)
				.message(message)
				.statusCode(400)
				.awsErrorDetails(Failures.details("TransactionCanceledException", message))
				.build();
		}
	}

	/** What a write does. */
	enum Kind {

		PUT, UPDATE, DELETE, CHECK

	}

}
