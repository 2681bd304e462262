/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Explains exceptions of the SDK: whether the call certainly had no effect, what failed,
 * and how to fix it. Thread-safe.
 */
public final class StoreErrors {

	/** As DynamoDB and IAM name it. */
	static final String TRANSACT_WRITE_ITEMS = "TransactWriteItems";

	private static final String CHECK_CONNECTION = ". Check the endpoint and the region of the DynamoDbClient, and the network connection to DynamoDB";

	private static final String VALIDATION = "ValidationException";

	private static final String TOKEN_REPEATED = "IdempotentParameterMismatchException";

	private static final String ACCESS_DENIED = "AccessDeniedException";

	private static final Set<String> BAD_CREDENTIALS = Set.of("UnrecognizedClientException",
			"InvalidSignatureException", "MissingAuthenticationTokenException", "MissingAuthenticationToken",
			"IncompleteSignatureException", "IncompleteSignature", "InvalidClientTokenId", "ExpiredTokenException");

	/** Parts of DynamoDB's messages for a key that is not the table's. */
	private static final Set<String> WRONG_KEY = Set.of("key element does not match the schema",
			"number of conditions on the keys is invalid", "required keys was not given a value", "missing the key",
			"type mismatch for key", "this attribute is part of the key", "missed key schema element",
			"condition parameter type does not match schema type");

	private final DynamoDbClient client;

	private final TableSchema schema;

	/** Errors of one table; messages name the client's region and endpoint. */
	public StoreErrors(DynamoDbClient client, TableSchema schema) {
		this.client = client;
		this.schema = schema;
	}

	/**
	 * {@link Answer.Failed} if the call certainly had no effect, otherwise
	 * {@link Answer.Unknown}.
	 */
	Answer answer(String operation, Throwable error) {
		LockException explained = explain(operation, error);
		return certainlyHadNoEffect(error) ? new Answer.Failed(explained) : new Answer.Unknown(explained);
	}

	/**
	 * Explains what failed, where, and how to fix it.
	 * @param operation the call, as DynamoDB and IAM name it, such as
	 * {@code DescribeTable}
	 * @param error the exception of the call, which becomes the cause
	 * @return a {@link LockTableException} if the table is missing or has another key,
	 * otherwise a {@link LockStoreException}
	 */
	public LockException explain(String operation, Throwable error) {
		if (operation.equals(TRANSACT_WRITE_ITEMS) && isAboutItems(error)) {
			return new LockStoreException(operation + " with lock table '" + this.schema.tableName() + "' in " + place()
					+ " was rejected: " + code(error) + ": " + reason(error)
					+ ". Check tables, keys and expressions of the transaction's items. DynamoDB has no transactions "
					+ "across regions, nor on global tables with multi-region strong consistency", error);
		}
		if (error instanceof ResourceNotFoundException) {
			return new LockTableException(this.schema.tableName(), LockTableException.Problem.MISSING,
					"The lock table '" + this.schema.tableName() + "' does not exist in " + place()
							+ ", or it is still being created. Create it with LockTable.createIfMissing(), or with: "
							+ this.schema.createTableCommand(),
					error);
		}
		if (isWrongKey(error)) {
			return wrongKey("DynamoDB reported: " + reason(error), error);
		}
		return new LockStoreException(operation + " of table '" + this.schema.tableName() + "' in " + place() + " "
				+ description(operation, error), error);
	}

	/** The table's key is not the configured one, as the sentence of evidence shows. */
	LockTableException wrongKey(String evidence, @Nullable Throwable error) {
		return new LockTableException(this.schema.tableName(), LockTableException.Problem.WRONG_KEY_SCHEMA,
				"The key of table '" + this.schema.tableName() + "' in " + place()
						+ " is not the configured one, which is " + this.schema.keyDescription()
						+ ". Configure the key names that the table has, or use another table. " + evidence,
				error);
	}

	private static boolean certainlyHadNoEffect(Throwable error) {
		if (error instanceof SdkException sdk && sdk.numAttempts() != null && sdk.numAttempts() > 1) {
			// The exception is the last attempt's; an earlier one may have had an effect.
			return false;
		}
		String code = code(error);
		return error instanceof ResourceNotFoundException || foundNoCredentials(error) || BAD_CREDENTIALS.contains(code)
				|| code.equals(ACCESS_DENIED) || code.equals(VALIDATION) || code.equals("SerializationException")
				|| code.equals(TOKEN_REPEATED);
	}

	private static boolean isAboutItems(Throwable error) {
		return error instanceof ResourceNotFoundException || code(error).equals(VALIDATION);
	}

	private static boolean isWrongKey(Throwable error) {
		String message = reason(error).toLowerCase(Locale.ROOT);
		return code(error).equals(VALIDATION) && WRONG_KEY.stream().anyMatch(message::contains);
	}

	/** The end of a sentence about the call, and what to do. */
	private static String description(String operation, Throwable error) {
		String code = code(error);
		if (code.equals(ACCESS_DENIED)) {
			return "is not allowed: " + reason(error) + ". Grant the IAM action dynamodb:" + action(operation)
					+ " on the table to the credentials of the DynamoDbClient";
		}
		if (BAD_CREDENTIALS.contains(code)) {
			return "was rejected because of its credentials: " + code + ": " + reason(error)
					+ ". Check the credentials of the DynamoDbClient, and this machine's clock";
		}
		if (code.equals(TOKEN_REPEATED)) {
			return "was rejected: " + code + ": " + reason(error)
					+ ". Use a different client request token for each transaction, or none";
		}
		if (error instanceof AwsServiceException service && service.isThrottlingException()) {
			return "was throttled: " + reason(error)
					+ ". Increase the table's capacity, or switch it to on-demand billing";
		}
		if (error instanceof AwsServiceException service && code.isEmpty()) {
			return "was answered with HTTP status " + service.statusCode()
					+ " and no DynamoDB error code; the endpoint may not be DynamoDB" + CHECK_CONNECTION;
		}
		if (error instanceof AwsServiceException service) {
			return ((service.statusCode() >= 500) ? "failed in the service: " : "was rejected: ") + code + ": "
					+ reason(error);
		}
		if (foundNoCredentials(error)) {
			return "could not be sent, because the SDK found no AWS credentials. Configure a credentials provider for "
					+ "the DynamoDbClient, or credentials that the SDK's default chain finds: " + reason(error);
		}
		if (error instanceof ApiCallTimeoutException) {
			return "was not answered in time: " + reason(error) + CHECK_CONNECTION;
		}
		Throwable network = networkFault(error);
		if (network != null) {
			return "did not reach DynamoDB: " + network + CHECK_CONNECTION;
		}
		return "failed: " + error;
	}

	/** IAM has an action for each item of a transaction, and none for all. */
	private static String action(String operation) {
		return operation.equals(TRANSACT_WRITE_ITEMS)
				? "ConditionCheckItem (UpdateItem or DeleteItem for a release), and those of the transaction's items,"
				: operation;
	}

	private static boolean foundNoCredentials(Throwable error) {
		// The SDK's messages of its chain, and of a profile that is missing or empty.
		return error instanceof SdkClientException
				&& (reason(error).contains("load credentials") || reason(error).contains("contained no credentials"));
	}

	private static @Nullable Throwable networkFault(Throwable error) {
		Throwable cause = error;
		// A chain of causes can be circular.
		for (int depth = 0; cause != null && depth < 20; depth++) {
			if (cause instanceof IOException) {
				return cause;
			}
			cause = cause.getCause();
		}
		return null;
	}

	private static String code(Throwable error) {
		AwsErrorDetails details = details(error);
		return (details == null) ? "" : String.valueOf(details.errorCode());
	}

	private static String reason(Throwable error) {
		AwsErrorDetails details = details(error);
		if (details != null) {
			return String.valueOf(details.errorMessage());
		}
		return String.valueOf((error instanceof SdkException sdk) ? sdk.rawMessage() : error.getMessage());
	}

	private static @Nullable AwsErrorDetails details(Throwable error) {
		return (error instanceof AwsServiceException service) ? service.awsErrorDetails() : null;
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
