/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.table.LockTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Creates or checks the lock table before the lock client is made, and says which
 * property mends what is wrong.
 */
final class LockTableInitializer {

	private static final Logger logger = LoggerFactory.getLogger(LockTableInitializer.class);

	private final DynamoDbLockProperties properties;

	private final SelectedDynamoDbClient selected;

	LockTableInitializer(DynamoDbLockProperties properties, SelectedDynamoDbClient selected) {
		this.properties = properties;
		this.selected = selected;
	}

	void initialize() {
		LockTable table = table();
		try {
			if (creation() == TableCreation.IF_MISSING) {
				table.createIfMissing();
			}
			else {
				check(table);
			}
		}
		catch (LockTableException ex) {
			throw new LockTableException(ex.tableName(), ex.problem(), ex.getMessage() + advice(ex.problem()), ex);
		}
		catch (LockStoreException ex) {
			throw new LockStoreException(ex.getMessage() + ". " + this.selected.description(), ex);
		}
	}

	private void check(LockTable table) {
		try {
			table.check();
		}
		catch (LockStoreException ex) {
			if (!isAccessDenied(ex)) {
				throw ex;
			}
			logger.warn("The lock table was not checked: {}. Locks work all the same if the table is right",
					ex.getMessage());
		}
	}

	private LockTable table() {
		DynamoDbLockProperties.Table settings = this.properties.table();
		LockTable table = PropertyValues.check("table.name", settings.name(),
				(name) -> LockTable.of(this.selected.client(), name));
		table = PropertyValues.apply("table.partition-key-name", settings.partitionKeyName(), table,
				LockTable::partitionKeyName);
		table = PropertyValues.apply("table.sort-key-name", settings.sortKeyName(), table, LockTable::sortKeyName);
		table = PropertyValues.apply("table.time-to-live-attribute-name", settings.timeToLiveAttributeName(), table,
				LockTable::timeToLiveAttributeName);
		if (settings.allowEventuallyConsistentReplicas()) {
			table = table.allowEventuallyConsistentReplicas();
		}
		return settings.timeToLive().isZero() ? table.withoutTimeToLive() : table;
	}

	private TableCreation creation() {
		TableCreation configured = this.properties.table().create();
		if (configured != null) {
			return configured;
		}
		return this.selected.isEmbedded() ? TableCreation.IF_MISSING : TableCreation.NEVER;
	}

	private static String advice(LockTableException.Problem problem) {
		return switch (problem) {
			case MISSING -> ". Or let the application create it: " + PropertyValues.name("table.create=if-missing");
			case WRONG_KEY_SCHEMA -> ". The properties are " + PropertyValues.name("table.partition-key-name") + " and "
					+ PropertyValues.name("table.sort-key-name");
			case WRONG_TIME_TO_LIVE_ATTRIBUTE ->
				". The properties are " + PropertyValues.name("table.time-to-live-attribute-name")
						+ " and, to do without, " + PropertyValues.name("table.time-to-live=0");
			case EVENTUALLY_CONSISTENT_REPLICAS ->
				". The property is " + PropertyValues.name("table.allow-eventually-consistent-replicas=true");
			case NOT_ACTIVE, NOT_A_LOCK -> "";
		};
	}

	private static boolean isAccessDenied(LockStoreException ex) {
		return ex.getCause() instanceof AwsServiceException service && service.awsErrorDetails() != null
				&& "AccessDeniedException".equals(service.awsErrorDetails().errorCode());
	}

}
