/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import java.util.List;

import io.github.dynamodblock.LockException;

/**
 * The lock table could not be created or checked at startup. The core's exception, which
 * says why, is the cause.
 *
 * <pre>{@code
 * catch (LockTableSetupException ex) {
 *     ex.setupCommands().forEach(System.out::println);
 * }
 * }</pre>
 */
public final class LockTableSetupException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String tableName;

	private final String propertyPrefix;

	private final String dynamoDbClient;

	private final List<String> setupCommands;

	/**
	 * Describes what failed startup.
	 * @param message what is wrong, and which property fixes it
	 * @param tableName the name or ARN of the table
	 * @param propertyPrefix what the names of the table's properties begin with, such as
	 * {@code dynamodb-lock.table}
	 * @param dynamoDbClient where the DynamoDbClient comes from, as a sentence without
	 * the full stop
	 * @param setupCommands the lines of the AWS CLI that set such a table up
	 * @param cause what the core says
	 */
	public LockTableSetupException(String message, String tableName, String propertyPrefix, String dynamoDbClient,
			List<String> setupCommands, LockException cause) {
		super(message, cause);
		this.tableName = tableName;
		this.propertyPrefix = propertyPrefix;
		this.dynamoDbClient = dynamoDbClient;
		this.setupCommands = List.copyOf(setupCommands);
	}

	/**
	 * The table.
	 * @return its name or ARN
	 */
	public String tableName() {
		return this.tableName;
	}

	/**
	 * Where the DynamoDbClient comes from.
	 * @return a sentence without the full stop
	 */
	public String dynamoDbClient() {
		return this.dynamoDbClient;
	}

	/**
	 * How to set the table up by hand.
	 * @return lines of the AWS CLI
	 */
	public List<String> setupCommands() {
		return this.setupCommands;
	}

	/** The full name of one of the table's properties. */
	String property(String property) {
		return this.propertyPrefix + "." + property;
	}

}
