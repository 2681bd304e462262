/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Guard;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Checks before a call that DynamoDB will accept a lock's key, data and attributes. The
 * checks throw {@link IllegalArgumentException}. Immutable and thread-safe.
 */
public final class ItemRules {

	private static final int LARGEST_ITEM = 400 * 1024;

	/** The most bytes that a number takes. */
	private static final int NUMBER = 21;

	/**
	 * The fewest bytes that a number takes. A size that counts numbers this way is never
	 * too large, so no item that DynamoDB accepts is rejected.
	 */
	static final int SMALLEST_NUMBER = 1;

	/** What a map or a list takes besides its elements. */
	private static final int COLLECTION = 3;

	/** The most bytes of the lock's own attributes, without key and owner name. */
	private static final int OWN_ATTRIBUTES = 512;

	private final TableSchema schema;

	private final Set<String> reserved;

	/** Creates the rules of a table, and of its namespace. */
	public ItemRules(TableSchema schema) {
		this.schema = schema;
		this.reserved = LockItem.ownAttributes(schema);
	}

	public String tableName() {
		return this.schema.tableName();
	}

	/**
	 * Checks that a lock's key has the parts that the table needs, and is not too long
	 * with the namespace.
	 */
	public void checkKey(LockKey key) {
		String sortKeyName = this.schema.sortKeyName();
		if (sortKeyName == null && key.sort() != null) {
			throw new IllegalArgumentException("Lock '" + key + "' has a sort key, but the lock client of table '"
					+ tableName() + "' is configured without one; use LockKey.of(partition), or set sortKeyName");
		}
		if (sortKeyName != null && key.sort() == null) {
			throw new IllegalArgumentException("Lock '" + key + "' has no sort key, but table '" + tableName()
					+ "' is configured with sort key '" + sortKeyName + "'; use LockKey.of(partition, sort)");
		}
		checkPartition(key.partition());
	}

	/** Checks that a partition key is not too long with the namespace. */
	public void checkPartition(String partition) {
		String namespace = this.schema.namespace();
		if (namespace == null) {
			return;
		}
		long bytes = size(this.schema.prefix() + partition);
		if (bytes > TableSchema.MAX_KEY_BYTES) {
			throw new IllegalArgumentException("Namespace '" + TableSchema.shortened(namespace)
					+ "' and partition key '" + TableSchema.shortened(partition) + "' have " + bytes
					+ " bytes in UTF-8 together, joined by a '/'; DynamoDB allows at most "
					+ TableSchema.MAX_KEY_BYTES);
		}
	}

	/** Checks that a change does not name the lock's own attributes. */
	public void checkChange(LockKey key, ItemChange change) {
		Set<String> named = new TreeSet<>(change.attributes().keySet());
		named.addAll(change.removedAttributes());
		change.copies().forEach((to, copy) -> named.addAll(List.of(to, copy.from())));
		checkNames("change", key, named, "choose other attribute names");
	}

	/** Checks that a condition does not name the lock's own attributes. */
	public void checkCondition(LockKey key, ItemCondition condition) {
		checkNames("condition", key, new TreeSet<>(condition.names().values()),
				"test the application's own attributes");
	}

	private void checkNames(String what, LockKey key, Set<String> named, String instead) {
		named.retainAll(this.reserved);
		if (!named.isEmpty()) {
			throw new IllegalArgumentException("The " + what + " of lock '" + key + "' names " + named
					+ ", which the lock itself uses; " + instead + ". Reserved names: " + this.reserved);
		}
	}

	/**
	 * Checks that a change of a known item does not name the lock's own attributes, and
	 * does not make the item larger than DynamoDB allows.
	 */
	public void checkChange(LockRecord before, ItemChange change, LockRecord after) {
		checkChange(before.key(), change);
		if (size(after) > size(before)) {
			checkSize(after);
		}
	}

	/** Checks that an item is not larger than DynamoDB allows. */
	public void checkSize(LockRecord record) {
		long size = size(record);
		if (size > LARGEST_ITEM) {
			throw new IllegalArgumentException("The item of lock '" + record.key() + "' would have about " + size
					+ " bytes with its data and attributes; DynamoDB allows " + LARGEST_ITEM
					+ ". Store less with the lock, such as only a reference to the data");
		}
	}

	/** Checks a transaction that commits only if a lock is held. */
	public ItemTransaction transaction(LockKey key, TransactWriteItemsRequest request) {
		return ItemTransaction.of(key, request, this.schema);
	}

	/** Returns the condition on a lock's item that a guarded write adds. */
	public ConditionCheck conditionCheck(Guard guard) {
		return ItemTransaction.check(guard, this.schema);
	}

	private static long size(LockRecord record) {
		long size = size(record.key().partition()) + OWN_ATTRIBUTES + size(record.ownerName())
				+ record.data().map((data) -> data.length).orElse(0) + size(record.attributes())
				+ record.name().map(ItemRules::size).orElse(0L);
		String sort = record.key().sort();
		return (sort == null) ? size : size + size(sort);
	}

	/** An upper bound for the size of attributes in bytes, as DynamoDB documents it. */
	static long size(Map<String, AttributeValue> attributes) {
		return size(attributes, NUMBER);
	}

	/** The same, with this number of bytes for each number. */
	static long size(Map<String, AttributeValue> attributes, int number) {
		long size = 0;
		for (Map.Entry<String, AttributeValue> entry : attributes.entrySet()) {
			size += size(entry.getKey()) + size(entry.getValue(), number);
		}
		return size;
	}

	private static long size(AttributeValue value, int number) {
		return switch (value.type()) {
			case S -> size(value.s());
			case N -> number;
			case B -> size(value.b());
			case SS -> value.ss().stream().mapToLong(ItemRules::size).sum();
			case NS -> (long) number * value.ns().size();
			case BS -> value.bs().stream().mapToLong(ItemRules::size).sum();
			case M -> COLLECTION + value.m().size() + size(value.m(), number);
			case L -> COLLECTION + value.l().size() + value.l().stream().mapToLong((each) -> size(each, number)).sum();
			default -> 1;
		};
	}

	private static long size(SdkBytes bytes) {
		return bytes.asByteArrayUnsafe().length;
	}

	private static long size(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

}
