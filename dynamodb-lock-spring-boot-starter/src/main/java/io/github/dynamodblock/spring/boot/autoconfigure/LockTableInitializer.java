/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.stream.Collectors;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties.TableCreation;
import io.github.dynamodblock.spring.boot.autoconfigure.diagnostics.LockSetupException;
import io.github.dynamodblock.table.LockTable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * Creates or checks the lock table before the lock client is made, and says which
 * property fixes what is wrong.
 */
final class LockTableInitializer {

	private static final Logger logger = LoggerFactory.getLogger(LockTableInitializer.class);

	private final LockClientProperties properties;

	private final DynamoDbLockProperties.Table settings;

	private final SelectedDynamoDbClient selected;

	LockTableInitializer(LockClientProperties properties, SelectedDynamoDbClient selected) {
		this.properties = properties;
		this.settings = properties.values().table();
		this.selected = selected;
	}

	void initialize() {
		LockTable[] made = new LockTable[1];
		this.properties.apply(() -> made[0] = table());
		LockTable table = made[0];
		try {
			if (creation() == TableCreation.IF_MISSING) {
				table.createIfMissing();
			}
			else if (this.settings.check()) {
				check(table);
			}
		}
		catch (LockTableException ex) {
			String problem = (ex.problem() == LockTableException.Problem.MISSING)
					? "The lock table '" + this.settings.name() + "' does not exist" : String.valueOf(ex.getMessage());
			throw new LockSetupException(problem + ".\n\n" + description() + ".", action(ex.problem(), table), ex);
		}
		catch (LockStoreException ex) {
			throw new LockSetupException("The lock table '" + this.settings.name() + "' cannot be used:\n\n    "
					+ ex.getMessage() + "\n\n" + description() + ".", action(ex), ex);
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
			logger.warn(
					"The lock table was not checked: {}. Locks work all the same if the table is right. Set {} to "
							+ "leave the check out",
					ex.getMessage(), DynamoDbLockProperties.PREFIX + ".table.check=false");
		}
	}

	private LockTable table() {
		LockTable table = LockTable.of(this.selected.client(), this.settings.name())
			.partitionKeyName(this.settings.partitionKeyName())
			.sortKeyName(this.settings.sortKeyName())
			.timeToLiveAttributeName(this.settings.timeToLiveAttributeName())
			.waitAtMost(this.settings.waitAtMost());
		if (this.settings.allowEventuallyConsistentReplicas()) {
			table = table.allowEventuallyConsistentReplicas();
		}
		if (this.settings.readCapacityUnits() != null || this.settings.writeCapacityUnits() != null) {
			long read = capacity("read", this.settings.readCapacityUnits(), "write",
					this.settings.writeCapacityUnits());
			long write = capacity("write", this.settings.writeCapacityUnits(), "read",
					this.settings.readCapacityUnits());
			table = table.provisioned(read, write);
		}
		return this.settings.timeToLive().isZero() ? table.withoutTimeToLive() : table;
	}

	private long capacity(String kind, @Nullable Long units, String otherKind, @Nullable Long otherUnits) {
		if (units == null) {
			throw this.properties.refusal("table." + otherKind + "-capacity-units", otherUnits,
					"It is of no use alone. Set " + this.properties.property("table." + kind + "-capacity-units")
							+ ", too, or neither for on-demand billing.");
		}
		if (units <= 0) {
			throw this.properties.refusal("table." + kind + "-capacity-units", units, "It must be positive.");
		}
		return units;
	}

	private TableCreation creation() {
		TableCreation configured = this.settings.create();
		if (configured != null) {
			return configured;
		}
		return this.selected.isForTests() ? TableCreation.IF_MISSING : TableCreation.NEVER;
	}

	private String action(LockTableException.Problem problem, LockTable table) {
		return switch (problem) {
			case MISSING -> "Create the table:\n\n"
					+ table.setupCommands()
						.stream()
						.map((command) -> "    " + command + this.selected.commandLineOptions() + "\n")
						.collect(Collectors.joining())
					+ "\nOr let the application create it, if its role may do so:\n\n    "
					+ property("create=if-missing") + "\n\nIf the table exists, correct " + property("name")
					+ ", or the region of the DynamoDbClient.";
			case WRONG_KEY_SCHEMA -> "Set " + property("partition-key-name") + " and " + property("sort-key-name")
					+ " to the names of the table's keys, if they are strings. Otherwise, set " + property("name")
					+ " to another table.";
			case WRONG_TIME_TO_LIVE_ATTRIBUTE -> "Set " + property("time-to-live-attribute-name")
					+ " to the attribute that the table goes by, or, to do without time to live, "
					+ property("time-to-live=0") + ".";
			case EVENTUALLY_CONSISTENT_REPLICAS -> "Set " + property("name")
					+ " to a table in one region, or to a global table with multi-region strong consistency. If all "
					+ "clients of every lock are in one region, accept this table:\n\n    "
					+ property("allow-eventually-consistent-replicas=true");
			case NOT_ACTIVE -> "Wait until DynamoDB has made the table ready, and start again. If it only takes longer "
					+ "than the application waits, set " + property("wait-at-most") + ".";
			case NOT_A_LOCK -> "Set " + property("name") + " to a table that holds nothing but locks.";
		};
	}

	private String property(String property) {
		return this.properties.property("table." + property);
	}

	private static String action(LockStoreException ex) {
		if (isAccessDenied(ex)) {
			return "Allow the call in the IAM policy of the application's role.";
		}
		if (ex.getCause() instanceof SdkClientException client
				&& String.valueOf(client.getMessage()).contains("credentials")) {
			return "Give the application a role, or set credentials where the SDK looks for them: the environment "
					+ "variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or an AWS profile. Where the application "
					+ "has no DynamoDbClient bean, dynamodb-lock.dynamodb.access-key and "
					+ "dynamodb-lock.dynamodb.secret-key, or dynamodb-lock.dynamodb.profile, do as well. DynamoDB Local "
					+ "takes any credentials.";
		}
		return "Check that something answers at this address, that the region is right, and that proxies, security "
				+ "groups and VPC endpoints let the application through. If it is DynamoDB Local, start it.";
	}

	/** Where the DynamoDbClient comes from, as a sentence without the full stop. */
	private String description() {
		String place = this.selected.place();
		return this.selected.isOwn()
				? "The DynamoDbClient was made from " + this.properties.property("dynamodb.*") + " and the defaults of "
						+ "Spring Cloud AWS or the SDK" + place
				: "The DynamoDbClient is the bean '" + this.selected.beanName() + "'" + place;
	}

	private static boolean isAccessDenied(LockStoreException ex) {
		return ex.getCause() instanceof AwsServiceException service && service.awsErrorDetails() != null
				&& "AccessDeniedException".equals(service.awsErrorDetails().errorCode());
	}

}
