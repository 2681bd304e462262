/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.Objects;
import java.util.regex.Pattern;

import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * The names of the lock table that can be configured.
 *
 * @param tableName the table
 * @param partitionKeyName its partition key, a string
 * @param sortKeyName its sort key, a string, or {@code null} if it has none
 * @param fencingTokenName the attribute of the fencing token
 * @param timeToLiveName the attribute of DynamoDB's time to live
 */
public record TableSchema(String tableName, String partitionKeyName, @Nullable String sortKeyName,
		String fencingTokenName, String timeToLiveName) {

	/** The default name of the partition key. */
	public static final String DEFAULT_PARTITION_KEY = "key";

	/** The default name of the fencing token's attribute. */
	public static final String DEFAULT_FENCING_TOKEN = "fencingToken";

	/** The default name of the time to live attribute. */
	public static final String DEFAULT_TIME_TO_LIVE = "expiresAt";

	private static final int LONGEST_NAME = 255;

	private static final Pattern TABLE_NAME = Pattern
		.compile("[A-Za-z0-9_.-]{3,255}|arn:[^\\s]+:table/[A-Za-z0-9_.-]{3,255}");

	/**
	 * Checks the names.
	 * @throws IllegalArgumentException if DynamoDB does not allow the table's name, a
	 * name is empty, or two attributes have the same name
	 */
	public TableSchema {
		if (!TABLE_NAME.matcher(Objects.requireNonNull(tableName, "tableName")).matches()) {
			throw new IllegalArgumentException("tableName is '" + tableName
					+ "'; it must have 3 to 255 characters of letters, digits, '_', '-' and '.', or be a table's ARN");
		}
		LockItem.checkAttributeNames(partitionKeyName, sortKeyName, fencingTokenName, timeToLiveName);
	}

	/**
	 * Returns the schema of a table with the default names.
	 * @param tableName the table
	 * @return the schema
	 */
	public static TableSchema of(String tableName) {
		return new TableSchema(tableName, DEFAULT_PARTITION_KEY, null, DEFAULT_FENCING_TOKEN, DEFAULT_TIME_TO_LIVE);
	}

	/**
	 * Checks that a lock's key has the parts that the table needs.
	 * @param key the lock
	 * @throws IllegalArgumentException if it does not
	 */
	public void checkKey(LockKey key) {
		if (this.sortKeyName == null && key.sort() != null) {
			throw new IllegalArgumentException("Lock '" + key + "' has a sort key, but the lock client of table '"
					+ this.tableName + "' is configured without one; use LockKey.of(partition), or set sortKeyName");
		}
		if (this.sortKeyName != null && key.sort() == null) {
			throw new IllegalArgumentException("Lock '" + key + "' has no sort key, but table '" + this.tableName
					+ "' is configured with sort key '" + this.sortKeyName + "'; use LockKey.of(partition, sort)");
		}
	}

	/**
	 * Describes the key.
	 * @return such as "partition key 'key' (S) and no sort key"
	 */
	public String keyDescription() {
		String sort = (this.sortKeyName == null) ? "no sort key" : "sort key '" + this.sortKeyName + "' (S)";
		return "partition key '" + this.partitionKeyName + "' (S) and " + sort;
	}

	/**
	 * Returns the command that creates the table.
	 * @return a command line of the AWS CLI
	 */
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

	/**
	 * Returns the command that waits until the table is created.
	 * @return a command line of the AWS CLI
	 */
	public String waitForTableCommand() {
		return "aws dynamodb wait table-exists --table-name " + this.tableName;
	}

	/**
	 * Returns the command that enables the table's time to live.
	 * @return a command line of the AWS CLI
	 */
	public String enableTimeToLiveCommand() {
		return "aws dynamodb update-time-to-live --table-name " + this.tableName
				+ " --time-to-live-specification Enabled=true,AttributeName=" + this.timeToLiveName;
	}

	private static String attributeDefinition(String name) {
		return "AttributeName=" + name + ",AttributeType=S";
	}

	static void requireName(String option, String name) {
		if (Objects.requireNonNull(name, option).isBlank() || name.length() > LONGEST_NAME) {
			throw new IllegalArgumentException(
					option + " is '" + name + "'; it must be a name of 1 to " + LONGEST_NAME + " characters");
		}
	}

}
