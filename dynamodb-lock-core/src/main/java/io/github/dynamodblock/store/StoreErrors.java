/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;

/**
 * Explains exceptions of the SDK: what failed, and how to fix it. {@link CallFailure}
 * says whether the call had an effect. Thread-safe.
 */
public final class StoreErrors {

	/** As DynamoDB and IAM name it. */
	static final String TRANSACT_WRITE_ITEMS = "TransactWriteItems";

	private static final String VALIDATION = "ValidationException";

	/** Parts of DynamoDB's messages for a key that is not the table's. */
	private static final Set<String> WRONG_KEY = Set.of("key element does not match the schema",
			"number of conditions on the keys is invalid", "required keys was not given a value", "missing the key",
			"type mismatch for key", "this attribute is part of the key", "missed key schema element",
			"condition parameter type does not match schema type");

	/** Names of policies, other than the role's own, in DynamoDB's messages. */
	private static final Set<String> OTHER_POLICIES = Set.of("explicit deny", "kms", "endpoint polic", "control polic",
			"boundar", "session polic", "resource-based polic");

	/**
	 * What to do about throttling, by a part of the limit's name. The name of the
	 * resource follows in the same text. Without a reason, the exception's code may mean
	 * any limit of the table.
	 */
	private static final Map<String, String> CURES = Map.of("keyrangethroughput",
			"Too many calls are for one lock or partition key: use finer keys, several partition keys, or fewer "
					+ "polls and heartbeats. If the load has just risen, DynamoDB may adapt without a change",
			"maxondemand", "Raise the table's maximum on-demand throughput", "accountlimit",
			"Request a higher quota for this account and region from Service Quotas", "requestlimit",
			"Request a higher quota for this account and region from Service Quotas", "provisionedthroughputexceeded ",
			"Increase the table's provisioned capacity, or switch it to on-demand billing");

	private final DynamoDbClient client;

	private final TableSchema schema;

	/** Explains errors of one table. Messages name the client's region and endpoint. */
	public StoreErrors(DynamoDbClient client, TableSchema schema) {
		this.client = client;
		this.schema = schema;
	}

	/** The answer of a call that failed, as {@link CallFailure} says. */
	Answer answer(String operation, Throwable error) {
		LockException explained = explain(operation, error);
		return isRepeated(error) ? new Answer.Unknown(explained) : CallFailure.of(error).answer(explained);
	}

	/**
	 * Whether the SDK has retried the call although it should not. A wrapper of its
	 * client may have dropped that option. An earlier attempt may then have had an
	 * effect.
	 */
	static boolean isRepeated(Throwable error) {
		return error instanceof SdkException sdk && sdk.numAttempts() != null && sdk.numAttempts() > 1;
	}

	/**
	 * Explains what failed, where, and how to fix it.
	 * @param operation the call, as DynamoDB and IAM name it, such as
	 * {@code DescribeTable}
	 * @return a {@link LockTableException} if the table is missing or has another key,
	 * otherwise a {@link LockStoreException}
	 */
	public LockException explain(String operation, Throwable error) {
		if (operation.equals(TRANSACT_WRITE_ITEMS) && isAboutItems(error)) {
			return new LockStoreException(operation + " with lock table '" + this.schema.tableName() + "' in " + place()
					+ " was rejected: " + CallFailure.code(error) + ": " + CallFailure.reason(error)
					+ ". Check tables, keys and expressions of the transaction's items. "
					+ TablesAcrossRegions.NO_TRANSACTIONS, error);
		}
		if (error instanceof ResourceNotFoundException) {
			return new LockTableException(this.schema.tableName(), LockTableException.Problem.MISSING,
					"The lock table '" + this.schema.tableName() + "' does not exist in " + place()
							+ ", or it is still being created. Create it with LockTable.createIfMissing(), or with: "
							+ this.schema.createTableCommand(),
					error);
		}
		if (isWrongKey(error)) {
			return wrongKey("DynamoDB reported: " + CallFailure.reason(error), error);
		}
		CallFailure failure = CallFailure.of(error);
		String advice = switch (failure) {
			case DENIED -> permission(operation, error);
			case THROTTLED -> capacity(error);
			default -> "";
		};
		return new LockStoreException(operation + " of table '" + this.schema.tableName() + "' in " + place() + " "
				+ failure.describe(error, advice), error);
	}

	/** Returns whether a call failed because its thread was interrupted. */
	public static boolean isInterrupt(Throwable explained) {
		Throwable origin = explained.getCause();
		return origin != null && CallFailure.of(origin) == CallFailure.INTERRUPTED;
	}

	/**
	 * Returns the exception for a table whose key is not the configured one. The evidence
	 * is a sentence.
	 */
	LockTableException wrongKey(String evidence, @Nullable Throwable error) {
		return new LockTableException(this.schema.tableName(), LockTableException.Problem.WRONG_KEY_SCHEMA,
				"The key of table '" + this.schema.tableName() + "' in " + place()
						+ " is not the configured one, which is " + this.schema.keyDescription()
						+ ". Configure the key names that the table has, or use another table. " + evidence,
				error);
	}

	private static boolean isAboutItems(Throwable error) {
		return error instanceof ResourceNotFoundException || CallFailure.code(error).equals(VALIDATION);
	}

	private static boolean isWrongKey(Throwable error) {
		String message = CallFailure.reason(error).toLowerCase(Locale.ROOT);
		return CallFailure.code(error).equals(VALIDATION) && WRONG_KEY.stream().anyMatch(message::contains);
	}

	/** If another policy denies the call, a grant to the caller does not help. */
	private static String permission(String operation, Throwable error) {
		String reason = CallFailure.reason(error).toLowerCase(Locale.ROOT);
		return OTHER_POLICIES.stream().anyMatch(reason::contains)
				? "Change the policy that this message names; a grant to the role of the DynamoDbClient does not help"
				: "Grant the IAM action dynamodb:" + action(operation)
						+ " on the table to the credentials of the DynamoDbClient";
	}

	/** IAM has no action for a transaction, only for its items. */
	private static String action(String operation) {
		return operation.equals(TRANSACT_WRITE_ITEMS)
				? "ConditionCheckItem (UpdateItem or DeleteItem for a release), and those of the transaction's items,"
				: operation;
	}

	/** Each limit of DynamoDB has a different remedy. */
	private static String capacity(Throwable error) {
		List<ThrottlingReason> reasons = throttlingReasons(error);
		String limits = reasons.stream()
			.map((each) -> each.reason() + " of " + each.resource())
			.collect(Collectors.joining(", "));
		String named = (limits.isEmpty() ? CallFailure.code(error) : limits).toLowerCase(Locale.ROOT);
		String cure = CURES.entrySet()
			.stream()
			.filter((each) -> named.contains(each.getKey()))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse("Increase the table's capacity, or switch it to on-demand billing; if it has enough, too many "
					+ "calls are for one lock or partition key");
		return limits.isEmpty() ? cure : "The limit is " + limits + ". " + cure;
	}

	private static List<ThrottlingReason> throttlingReasons(Throwable error) {
		if (error instanceof ProvisionedThroughputExceededException provisioned) {
			return provisioned.throttlingReasons();
		}
		if (error instanceof RequestLimitExceededException account) {
			return account.throttlingReasons();
		}
		return (error instanceof ThrottlingException throttling) ? throttling.throttlingReasons() : List.of();
	}

	/** The region that is called; empty if it is unknown, or another endpoint is. */
	String region() {
		return configured("", (configuration) -> configuration.endpointOverride().isPresent() ? ""
				: String.valueOf(configuration.region()));
	}

	/** The region, and the endpoint if it is not the region's. */
	String place() {
		return configured("the region of the DynamoDbClient", (configuration) -> "region " + configuration.region()
				+ configuration.endpointOverride().map((endpoint) -> " at " + endpoint).orElse(""));
	}

	private String configured(String otherwise, Function<DynamoDbServiceClientConfiguration, String> text) {
		try {
			return text.apply(this.client.serviceClientConfiguration());
		}
		catch (RuntimeException ex) {
			// A wrapper of the SDK's client may not support this.
			return otherwise;
		}
	}

}
