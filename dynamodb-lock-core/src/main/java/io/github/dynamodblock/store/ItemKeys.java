/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Converts between the keys of a client's locks and the keys of their items: with a
 * namespace, an item's partition key is {@code <namespace>/<partition>}. Only this
 * package sees the keys of items. Immutable.
 */
public final class ItemKeys {

	private static final String SEPARATOR = "/";

	/** What DynamoDB allows, without the separator and one byte for the lock. */
	private static final int MAX_NAMESPACE_BYTES = 2048 - 2;

	private static final int SHOWN = 40;

	private final TableSchema schema;

	private final @Nullable String namespace;

	private final String prefix;

	/**
	 * Creates the keys of a namespace.
	 * @param schema the table
	 * @param namespace the namespace, or {@code null} for none
	 * @throws IllegalArgumentException if the namespace is not valid
	 */
	public ItemKeys(TableSchema schema, @Nullable String namespace) {
		this.schema = schema;
		this.namespace = (namespace == null) ? null : requireNamespace(namespace);
		this.prefix = (namespace == null) ? "" : namespace + SEPARATOR;
	}

	/**
	 * Checks a namespace.
	 * @param namespace the namespace
	 * @return the namespace
	 * @throws IllegalArgumentException if it is empty, contains a slash, or leaves no
	 * room for a lock's key
	 */
	public static String requireNamespace(String namespace) {
		if (namespace.isEmpty() || namespace.contains(SEPARATOR)) {
			throw new IllegalArgumentException("namespace is '" + shortened(namespace)
					+ "'; it must have at least one character and no '/', which separates it from the lock's key");
		}
		int bytes = namespace.getBytes(StandardCharsets.UTF_8).length;
		if (bytes > MAX_NAMESPACE_BYTES) {
			throw new IllegalArgumentException("namespace has " + bytes + " bytes in UTF-8; it must have at most "
					+ MAX_NAMESPACE_BYTES + ". It begins with '" + shortened(namespace) + "'");
		}
		return namespace;
	}

	/**
	 * Checks that a lock's key has the parts that the table needs, and is not too long
	 * with the namespace.
	 * @param key the lock
	 * @throws IllegalArgumentException if it does not fit
	 */
	public void checkKey(LockKey key) {
		this.schema.checkKey(key);
		checkPartition(key.partition());
	}

	/**
	 * Checks that a partition key is not too long with the namespace.
	 * @param partition the partition key
	 * @throws IllegalArgumentException if it is
	 */
	public void checkPartition(String partition) {
		try {
			stored(LockKey.of(partition));
		}
		catch (IllegalArgumentException ex) {
			throw (this.namespace == null) ? ex
					: new IllegalArgumentException(
							"Namespace '" + shortened(this.namespace) + "' and partition key '" + shortened(partition)
									+ "' are too long for each other, with a '/' between them. " + ex.getMessage(),
							ex);
		}
	}

	/** The prefix of all partition keys; empty without a namespace. */
	String prefix() {
		return this.prefix;
	}

	/** The key of a lock's item. */
	LockKey stored(LockKey key) {
		return this.prefix.isEmpty() ? key : new LockKey(this.prefix + key.partition(), key.sort());
	}

	/** The key of the lock of an item, or {@code null} if it is not in this namespace. */
	@Nullable LockKey lock(LockKey stored) {
		String partition = stored.partition();
		if (!partition.startsWith(this.prefix) || partition.length() == this.prefix.length()) {
			return null;
		}
		return this.prefix.isEmpty() ? stored : new LockKey(partition.substring(this.prefix.length()), stored.sort());
	}

	/** The key attributes of a lock's item. */
	Map<String, AttributeValue> item(LockKey key) {
		return attributes(stored(key));
	}

	/** The key attributes of the item with this key in the table. */
	Map<String, AttributeValue> attributes(LockKey stored) {
		Map<String, AttributeValue> attributes = new HashMap<>();
		attributes.put(this.schema.partitionKeyName(), AttributeValue.fromS(stored.partition()));
		if (this.schema.sortKeyName() != null) {
			attributes.put(this.schema.sortKeyName(), AttributeValue.fromS(Objects.requireNonNull(stored.sort())));
		}
		return attributes;
	}

	/** The key of an item, or {@code null} if it is not one of the schema. */
	@Nullable LockKey stored(Map<String, AttributeValue> item) {
		String partition = text(item.get(this.schema.partitionKeyName()));
		if (partition == null || this.schema.sortKeyName() == null) {
			return (partition == null) ? null : LockKey.of(partition);
		}
		String sort = text(item.get(this.schema.sortKeyName()));
		return (sort == null) ? null : LockKey.of(partition, sort);
	}

	private static @Nullable String text(@Nullable AttributeValue value) {
		return (value == null) ? null : value.s();
	}

	private static String shortened(String text) {
		return (text.length() <= SHOWN) ? text : text.substring(0, SHOWN) + "...";
	}

}
