/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.util.HashMap;
import java.util.Map;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One lock in a table that both kinds of clients use, and its item as neither of them
 * reads it.
 */
final class SharedLock {

	private static final String SORT_KEY = "part";

	private final InteropCase layout;

	private final TableSchema table;

	private final LockKey key;

	private SharedLock(InteropCase layout, TableSchema table, LockKey key) {
		this.layout = layout;
		this.table = table;
		this.key = key;
	}

	/** A lock that nobody has taken yet, in a table of its own. */
	static SharedLock in(InteropCase layout) {
		return layout.sortKey() ? new SharedLock(layout, TestDynamoDb.newTable(SORT_KEY), LockKey.of("orders", "42"))
				: new SharedLock(layout, TestDynamoDb.newTable(), LockKey.of("orders"));
	}

	/** Another lock in the same table, of the same partition where that is possible. */
	SharedLock sibling() {
		return new SharedLock(this.layout, this.table,
				this.layout.sortKey() ? LockKey.of(this.key.partition(), "43") : LockKey.of("invoices"));
	}

	TableSchema table() {
		return this.table;
	}

	LockKey key() {
		return this.key;
	}

	boolean deleteOnRelease() {
		return this.layout.deleteOnRelease();
	}

	/** The owner name of whoever holds the lock, or {@code null} if it is free. */
	@Nullable String holder() {
		Map<String, AttributeValue> item = item();
		return (item.isEmpty() || item.containsKey("isReleased")) ? null : text(item, "ownerName");
	}

	/** The lock's record version number; it must have an item. */
	String version() {
		return text(item(), "recordVersionNumber");
	}

	/** The lock's item; empty if there is none. */
	Map<String, AttributeValue> item() {
		Map<String, AttributeValue> itemKey = new HashMap<>();
		itemKey.put(this.table.partitionKeyName(), AttributeValue.fromS(this.key.partition()));
		if (this.key.sort() != null) {
			itemKey.put(SORT_KEY, AttributeValue.fromS(this.key.sort()));
		}
		return TestDynamoDb.client()
			.getItem((get) -> get.tableName(this.table.tableName()).key(itemKey).consistentRead(true))
			.item();
	}

	private static String text(Map<String, AttributeValue> item, String name) {
		AttributeValue value = item.get(name);
		if (value == null || value.s() == null) {
			throw new AssertionError("The lock's item has no text '" + name + "': " + item);
		}
		return value.s();
	}

}
