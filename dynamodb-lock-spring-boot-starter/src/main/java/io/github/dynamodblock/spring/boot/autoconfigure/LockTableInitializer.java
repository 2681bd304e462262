/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.spring.boot.autoconfigure.diagnostics.LockTableSetupException;
import io.github.dynamodblock.table.LockTable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Creates or checks the lock table before the lock client is made, and says which
 * property fixes what is wrong.
 */
final class LockTableInitializer {

	private static final Logger logger = LoggerFactory.getLogger(LockTableInitializer.class);

	private final DynamoDbLockProperties properties;

	private final PropertyValues values;

	private final SelectedDynamoDbClient selected;

	LockTableInitializer(DynamoDbLockProperties properties, PropertyValues values, SelectedDynamoDbClient selected) {
		this.properties = properties;
		this.values = values;
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
			throw failure(ex, ex.getMessage() + advice(ex.problem()), table);
		}
		catch (LockStoreException ex) {
			throw failure(ex, ex.getMessage() + ". " + description(), table);
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
		LockTable table = this.values.check("table.name", settings.name(),
				(name) -> LockTable.of(this.selected.client(), name));
		table = this.values.apply("table.partition-key-name", settings.partitionKeyName(), table,
				LockTable::partitionKeyName);
		table = this.values.apply("table.sort-key-name", settings.sortKeyName(), table, LockTable::sortKeyName);
		table = this.values.apply("table.time-to-live-attribute-name", settings.timeToLiveAttributeName(), table,
				LockTable::timeToLiveAttributeName);
		table = this.values.apply("table.wait-at-most", settings.waitAtMost(), table, LockTable::waitAtMost);
		if (settings.allowEventuallyConsistentReplicas()) {
			table = table.allowEventuallyConsistentReplicas();
		}
		table = withCapacity(table, settings.readCapacityUnits(), settings.writeCapacityUnits());
		return settings.timeToLive().isZero() ? table.withoutTimeToLive() : table;
	}

	private LockTable withCapacity(LockTable table, @Nullable Long readUnits, @Nullable Long writeUnits) {
		if (readUnits == null && writeUnits == null) {
			return table;
		}
		long read = capacity("table.read-capacity-units", readUnits, "table.write-capacity-units", writeUnits);
		long write = capacity("table.write-capacity-units", writeUnits, "table.read-capacity-units", readUnits);
		return table.provisioned(read, write);
	}

	private long capacity(String property, @Nullable Long units, String otherProperty, @Nullable Long otherUnits) {
		if (units == null) {
			throw this.values.refusal(otherProperty, otherUnits, "It is of no use alone. Set "
					+ this.values.property(property) + ", too, or neither for on-demand billing.");
		}
		if (units <= 0) {
			throw this.values.refusal(property, units, "It must be positive.");
		}
		return units;
	}

	private TableCreation creation() {
		TableCreation configured = this.properties.table().create();
		if (configured != null) {
			return configured;
		}
		return this.selected.isForTests() ? TableCreation.IF_MISSING : TableCreation.NEVER;
	}

	private LockTableSetupException failure(LockException ex, String message, LockTable table) {
		String options = this.selected.commandLineOptions();
		return new LockTableSetupException(message, this.properties.table().name(), this.values.property("table"),
				description(), table.setupCommands().stream().map((command) -> command + options).toList(), ex);
	}

	private String advice(LockTableException.Problem problem) {
		return switch (problem) {
			case MISSING -> ". Or let the application create it: " + this.values.property("table.create=if-missing");
			case WRONG_KEY_SCHEMA -> ". The properties are " + this.values.property("table.partition-key-name")
					+ " and " + this.values.property("table.sort-key-name");
			case WRONG_TIME_TO_LIVE_ATTRIBUTE ->
				". The properties are " + this.values.property("table.time-to-live-attribute-name")
						+ " and, to do without, " + this.values.property("table.time-to-live=0");
			case EVENTUALLY_CONSISTENT_REPLICAS ->
				". The property is " + this.values.property("table.allow-eventually-consistent-replicas=true");
			case NOT_ACTIVE -> ". The property is " + this.values.property("table.wait-at-most");
			case NOT_A_LOCK -> "";
		};
	}

	/** Where the DynamoDbClient comes from, as a sentence without the full stop. */
	private String description() {
		String place = this.selected.place();
		return this.selected.isOwn()
				? "The DynamoDbClient was made from " + this.values.property("dynamodb.*") + " and the defaults of "
						+ "Spring Cloud AWS or the SDK" + place
				: "The DynamoDbClient is the bean '" + this.selected.beanName() + "'" + place;
	}

	private static boolean isAccessDenied(LockStoreException ex) {
		return ex.getCause() instanceof AwsServiceException service && service.awsErrorDetails() != null
				&& "AccessDeniedException".equals(service.awsErrorDetails().errorCode());
	}

}
