/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.dynamodblock.InvalidLockOptionException;
import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The configurable names of the lock table, and the keys of its items. With a namespace,
 * an item's partition key is {@code <namespace>/<partition>}. Only this package sees
 * these keys, which it calls stored keys.
 *
 * @param tableName the table's name or ARN
 * @param partitionKeyName the partition key, a string
 * @param sortKeyName the sort key, a string, or {@code null} for none
 * @param namespace the namespace of the client's locks, or {@code null} for none
 */
public record TableSchema(String tableName, String partitionKeyName, @Nullable String sortKeyName,
		String fencingTokenName, String timeToLiveName, @Nullable String namespace) {

	public static final String DEFAULT_PARTITION_KEY = "key";

	public static final String DEFAULT_FENCING_TOKEN = "fencingToken";

	public static final String DEFAULT_TIME_TO_LIVE = "expiresAt";

	private static final String SEPARATOR = "/";

	/** DynamoDB's limit for a partition key. */
	static final int MAX_KEY_BYTES = 2048;

	/** The rest is for the separator and at least one byte of the lock's key. */
	private static final int MAX_NAMESPACE_BYTES = MAX_KEY_BYTES - 2;

	private static final int SHOWN = 40;

	private static final int LONGEST_NAME = 255;

	private static final Pattern TABLE_NAME = Pattern
		.compile("[A-Za-z0-9_.-]{3,255}|arn:[^\\s]+:table/[A-Za-z0-9_.-]{3,255}");

	/**
	 * Checks the names.
	 * @throws IllegalArgumentException if DynamoDB does not allow the table's name, a
	 * name is empty, two attributes have the same name, or the namespace is not valid
	 */
	public TableSchema {
		if (!TABLE_NAME.matcher(Objects.requireNonNull(tableName, "tableName")).matches()) {
			throw new InvalidLockOptionException("tableName", "tableName is '" + tableName
					+ "'; it must have 3 to 255 letters, digits, '_', '-' and '.', or be a table's ARN");
		}
		Set<String> taken = new HashSet<>(LockItem.FIXED_NAMES);
		checkAttributeName("partitionKeyName", partitionKeyName, taken);
		if (sortKeyName != null) {
			checkAttributeName("sortKeyName", sortKeyName, taken);
		}
		checkAttributeName("fencingTokenAttributeName", fencingTokenName, taken);
		checkAttributeName("timeToLiveAttributeName", timeToLiveName, taken);
		if (namespace != null) {
			requireNamespace(namespace);
		}
	}

	private static void checkAttributeName(String option, String name, Set<String> taken) {
		if (Objects.requireNonNull(name, option).isBlank() || name.length() > LONGEST_NAME) {
			throw new InvalidLockOptionException(option,
					option + " is '" + name + "'; it must be a name of 1 to " + LONGEST_NAME + " characters");
		}
		if (!taken.add(name)) {
			throw new InvalidLockOptionException(option, option + " is '" + name
					+ "', which another attribute of the lock's item uses; choose another name");
		}
	}

	public TableSchema(String tableName, String partitionKeyName, @Nullable String sortKeyName, String fencingTokenName,
			String timeToLiveName) {
		this(tableName, partitionKeyName, sortKeyName, fencingTokenName, timeToLiveName, null);
	}

	public static TableSchema of(String tableName) {
		return new TableSchema(tableName, DEFAULT_PARTITION_KEY, null, DEFAULT_FENCING_TOKEN, DEFAULT_TIME_TO_LIVE);
	}

	/**
	 * Checks a namespace.
	 * @throws IllegalArgumentException if it is empty, contains a slash, or leaves no
	 * room for a lock's key
	 */
	public static String requireNamespace(String namespace) {
		if (namespace.isEmpty() || namespace.contains(SEPARATOR)) {
			throw new InvalidLockOptionException("namespace", "namespace is '" + shortened(namespace)
					+ "'; it must have at least one character and no '/', which separates it from the lock's key");
		}
		int bytes = namespace.getBytes(StandardCharsets.UTF_8).length;
		if (bytes > MAX_NAMESPACE_BYTES) {
			throw new InvalidLockOptionException("namespace",
					"namespace has " + bytes + " bytes in UTF-8; it must have at most " + MAX_NAMESPACE_BYTES
							+ ". It begins with '" + shortened(namespace) + "'");
		}
		return namespace;
	}

	static String shortened(String text) {
		return (text.length() <= SHOWN) ? text : text.substring(0, SHOWN) + "...";
	}

	/** Returns the prefix of all stored partition keys; empty without a namespace. */
	String prefix() {
		return (this.namespace == null) ? "" : this.namespace + SEPARATOR;
	}

	LockKey stored(LockKey key) {
		return (this.namespace == null) ? key : new LockKey(prefix() + key.partition(), key.sort());
	}

	/**
	 * Returns the lock of a stored key, or {@code null} if the key is not in this
	 * namespace.
	 */
	@Nullable LockKey lock(LockKey stored) {
		String prefix = prefix();
		String partition = stored.partition();
		if (!partition.startsWith(prefix) || partition.length() == prefix.length()) {
			return null;
		}
		return prefix.isEmpty() ? stored : new LockKey(partition.substring(prefix.length()), stored.sort());
	}

	/** Returns the key attributes of a lock's item. */
	Map<String, AttributeValue> item(LockKey key) {
		return attributes(stored(key));
	}

	Map<String, AttributeValue> attributes(LockKey stored) {
		AttributeValue partition = AttributeValue.fromS(stored.partition());
		return (this.sortKeyName == null) ? Map.of(this.partitionKeyName, partition) : Map.of(this.partitionKeyName,
				partition, this.sortKeyName, AttributeValue.fromS(Objects.requireNonNull(stored.sort())));
	}

	/** Returns the stored key of an item, or {@code null} if the item has no such key. */
	@Nullable LockKey stored(Map<String, AttributeValue> item) {
		String partition = text(item.get(this.partitionKeyName));
		if (partition == null || this.sortKeyName == null) {
			return (partition == null) ? null : LockKey.of(partition);
		}
		String sort = text(item.get(this.sortKeyName));
		return (sort == null) ? null : LockKey.of(partition, sort);
	}

	private static @Nullable String text(@Nullable AttributeValue value) {
		return (value == null) ? null : value.s();
	}

	/** Returns for example "partition key 'key' (S) and no sort key". */
	public String keyDescription() {
		String sort = (this.sortKeyName == null) ? "no sort key" : "sort key '" + this.sortKeyName + "' (S)";
		return "partition key '" + this.partitionKeyName + "' (S) and " + sort;
	}

	/** Returns the AWS CLI command that creates the table. */
	public String createTableCommand() {
		String definitions = attributeDefinition(this.partitionKeyName);
		String keys = "AttributeName=" + this.partitionKeyName + ",KeyType=HASH";
		if (this.sortKeyName != null) {
			definitions += " " + attributeDefinition(this.sortKeyName);
			keys += " AttributeName=" + this.sortKeyName + ",KeyType=RANGE";
		}
		return "aws dynamodb create-table --table-name " + this.tableName + " --attribute-definitions " + definitions
				+ " --key-schema " + keys + " --billing-mode PAY_PER_REQUEST";
	}

	/** Returns the AWS CLI command that waits until the table is created. */
	public String waitForTableCommand() {
		return "aws dynamodb wait table-exists --table-name " + this.tableName;
	}

	public String enableTimeToLiveCommand() {
		return "aws dynamodb update-time-to-live --table-name " + this.tableName
				+ " --time-to-live-specification Enabled=true,AttributeName=" + this.timeToLiveName;
	}

	private static String attributeDefinition(String name) {
		return "AttributeName=" + name + ",AttributeType=S";
	}

}
