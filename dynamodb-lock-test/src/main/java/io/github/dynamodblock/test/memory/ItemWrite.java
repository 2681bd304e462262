/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * A conditional write of one item, alone or in a transaction.
 *
 * @param request the request, or the part of a transaction, whose fields have the same
 * names
 */
record ItemWrite(Kind kind, SdkPojo request) {

	static ItemWrite of(TransactWriteItem write) {
		if (write.put() != null) {
			return new ItemWrite(Kind.PUT, write.put());
		}
		if (write.update() != null) {
			return new ItemWrite(Kind.UPDATE, write.update());
		}
		return (write.delete() != null) ? new ItemWrite(Kind.DELETE, write.delete())
				: new ItemWrite(Kind.CHECK, write.conditionCheck());
	}

	@SuppressWarnings("unchecked")
	private <T> Optional<T> field(String name) {
		return Optional.ofNullable(this.request.sdkFieldNameToField().get(name))
			.map((field) -> (T) field.getValueOrDefault(this.request));
	}

	String tableName() {
		return this.<String>field("TableName").orElseThrow();
	}

	/** Returns the key, or the whole item of a put. */
	private Map<String, AttributeValue> item() {
		return this.<Map<String, AttributeValue>>field((this.kind == Kind.PUT) ? "Item" : "Key").orElseThrow();
	}

	private Optional<Expression> expression(String field, Map<String, AttributeValue> item) {
		Map<String, String> names = this.<Map<String, String>>field("ExpressionAttributeNames").orElseThrow();
		Map<String, AttributeValue> values = this.<Map<String, AttributeValue>>field("ExpressionAttributeValues")
			.orElseThrow();
		return this.<String>field(field).map((text) -> new Expression(text, names, values, item));
	}

	Map<String, AttributeValue> before(MemoryTable table) {
		Map<String, AttributeValue> key = new HashMap<>(item());
		if (this.kind == Kind.PUT) {
			key.keySet().retainAll(table.keyNames());
		}
		return table.get(key);
	}

	private boolean isAllowed(Map<String, AttributeValue> before) {
		return expression("ConditionExpression", before).map(Expression::holds).orElse(true);
	}

	/** Returns the item if the request asks for it on refusal. */
	private @Nullable Map<String, AttributeValue> shown(Map<String, AttributeValue> before) {
		boolean wanted = field("ReturnValuesOnConditionCheckFailure").filter("ALL_OLD"::equals).isPresent();
		return (wanted && !before.isEmpty()) ? before : null;
	}

	/** Returns the item before the write. Throws if its condition is not met. */
	Map<String, AttributeValue> requireAllowed(MemoryTable table) {
		Map<String, AttributeValue> before = before(table);
		if (!isAllowed(before)) {
			throw Failures.of(ConditionalCheckFailedException.builder().item(shown(before)),
					"ConditionalCheckFailedException", "The conditional request failed");
		}
		return before;
	}

	/** Requires that all writes of a transaction are allowed and valid. */
	static void requireAllowed(List<ItemWrite> writes, Function<ItemWrite, MemoryTable> tables) {
		List<CancellationReason> reasons = new ArrayList<>();
		for (ItemWrite write : writes) {
			Map<String, AttributeValue> before = write.before(tables.apply(write));
			if (write.isAllowed(before)) {
				write.after(tables.apply(write));
				reasons.add(CancellationReason.builder().code("None").build());
			}
			else {
				reasons.add(CancellationReason.builder()
					.code("ConditionalCheckFailed")
					.message("The conditional request failed")
					.item(write.shown(before))
					.build());
			}
		}
		List<String> codes = reasons.stream().map(CancellationReason::code).toList();
		if (codes.contains("ConditionalCheckFailed")) {
			throw Failures.of(TransactionCanceledException.builder().cancellationReasons(reasons),
					"TransactionCanceledException",
					"Transaction cancelled, please refer cancellation reasons for specific reasons " + codes);
		}
	}

	/** Returns the item after the write. */
	Map<String, AttributeValue> apply(MemoryTable table) {
		Map<String, AttributeValue> after = after(table);
		if (this.kind == Kind.DELETE) {
			table.remove(item());
		}
		else if (this.kind != Kind.CHECK) {
			table.put(after);
		}
		return after;
	}

	private Map<String, AttributeValue> after(MemoryTable table) {
		if (this.kind != Kind.UPDATE) {
			return (this.kind == Kind.PUT) ? item() : Map.of();
		}
		Map<String, AttributeValue> before = new HashMap<>(before(table));
		before.putAll(item());
		return expression("UpdateExpression", before).map((update) -> update.update(table.keyNames())).orElse(before);
	}

	enum Kind {

		PUT, UPDATE, DELETE, CHECK

	}

}
