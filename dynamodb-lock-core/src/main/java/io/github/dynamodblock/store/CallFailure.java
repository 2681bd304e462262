/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.protocol.Answer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Why a call failed, and what is known of its effect. That decides whether the call is
 * retried. The effect is {@link Effect#UNKNOWN} unless the call certainly changed
 * nothing. The troubleshooting page of the documentation has the same table.
 */
enum CallFailure {

	/** DynamoDB had no capacity for the call. */
	THROTTLED(Effect.NONE, "was throttled: %1$s. %3$s"),

	/** No connection could be opened, so nothing was sent. */
	UNREACHABLE(Effect.NONE, "did not reach DynamoDB: %1$s" + CallFailure.CHECK_CONNECTION),

	/** The HTTP client had no free connection in time. */
	NO_CONNECTION(Effect.NONE,
			"could not be sent, because no connection of the DynamoDbClient's HTTP client was free "
					+ "in time: %1$s. Raise maxConnections of the HTTP client"),

	/**
	 * The credentials have expired and may be refreshed, or the clock is wrong and the
	 * SDK adjusts to it.
	 */
	CREDENTIALS_EXPIRED(Effect.NONE, CallFailure.REJECTED_CREDENTIALS),

	/** The endpoint or service of the credentials failed, which may be temporary. */
	CREDENTIALS_UNAVAILABLE(Effect.NONE, CallFailure.NO_CREDENTIALS_FOUND),

	/** No provider has credentials. */
	NO_CREDENTIALS(Effect.NONE_EVER, CallFailure.NO_CREDENTIALS_FOUND),

	/** The credentials are wrong, or the role may not be assumed. */
	BAD_CREDENTIALS(Effect.NONE_EVER, CallFailure.REJECTED_CREDENTIALS),

	/** A permission is missing, or another policy denies it. */
	DENIED(Effect.NONE_EVER, "is not allowed: %1$s. %3$s"),

	NO_TABLE(Effect.NONE_EVER, "was rejected: %2$s: %1$s"),

	/** DynamoDB does not understand the call. */
	INVALID(Effect.NONE_EVER, "was rejected: %2$s: %1$s"),

	/** The transaction's client request token was used for another transaction. */
	TOKEN_REPEATED(Effect.NONE_EVER,
			"was rejected: %2$s: %1$s. Use a different client request token for each transaction, or none"),

	CLIENT_CLOSED(Effect.NONE_EVER,
			"could not be sent, because the DynamoDbClient is closed. Close the lock client "
					+ "before the DynamoDbClient"),

	INTERRUPTED(Effect.UNKNOWN, "was interrupted, together with the thread that made it"),

	TIMED_OUT(Effect.UNKNOWN,
			"was not answered in time: %1$s" + CallFailure.CHECK_CONNECTION
					+ ". If many calls are in progress, also check maxConnections of its HTTP client"),

	/** A file of the credentials provider cannot be read. */
	CREDENTIALS_FILE(Effect.UNKNOWN,
			"could not be sent, because a file cannot be read: %1$s. Check the credentials "
					+ "provider of the DynamoDbClient, such as its web identity token file"),

	/** The connection failed after it was opened. */
	CONNECTION_BROKEN(Effect.UNKNOWN,
			"got no answer, because the connection failed: %1$s" + CallFailure.CHECK_CONNECTION),

	/** DynamoDB has an error. */
	SERVICE_FAILED(Effect.UNKNOWN, "failed in the service: %2$s: %1$s"),

	/** Something else answered, such as a proxy. */
	NOT_DYNAMODB(Effect.UNKNOWN,
			"was answered with HTTP status %1$s and no DynamoDB error code; the endpoint may not be DynamoDB"
					+ CallFailure.CHECK_CONNECTION),

	/**
	 * An unfamiliar error. DynamoDB probably did not carry out the call, but that is not
	 * certain.
	 */
	REJECTED(Effect.UNKNOWN, "was rejected: %2$s: %1$s"),

	/** Anything else, such as an exception of the application's interceptor. */
	OTHER(Effect.UNKNOWN, "failed: %1$s");

	private static final String CHECK_CONNECTION = ". Check the endpoint and the region of the DynamoDbClient, and the "
			+ "network connection to DynamoDB";

	private static final String REJECTED_CREDENTIALS = "was rejected because of its credentials: %2$s: %1$s. Check the "
			+ "credentials of the DynamoDbClient, and this machine's clock";

	private static final String NO_CREDENTIALS_FOUND = "could not be sent, because the SDK found no AWS credentials. "
			+ "Give the application a role, or set credentials where the DynamoDbClient looks for them, such as the "
			+ "environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; DynamoDB Local accepts any. The SDK "
			+ "says: %1$s";

	/**
	 * The SDK counts more codes as throttling. One of them is for a transaction in
	 * progress, which may still be committed.
	 */
	private static final Set<String> THROTTLING = Set.of("ThrottlingException", "ThrottlingError",
			"ProvisionedThroughputExceededException", "ProvisionedThroughputExceeded", "RequestLimitExceeded");

	private static final Set<String> EXPIRED = Set.of("ExpiredTokenException", "ExpiredToken", "RequestExpired",
			"RequestTimeTooSkewed");

	private static final Set<String> BAD = Set.of("UnrecognizedClientException", "InvalidSignatureException",
			"MissingAuthenticationTokenException", "MissingAuthenticationToken", "IncompleteSignatureException",
			"IncompleteSignature", "InvalidClientTokenId");

	/** The services that credentials providers call before anything is sent. */
	private static final Set<String> CREDENTIALS_SERVICES = Set.of("sts", "sso", "ssooidc");

	private static final Set<String> NO_FREE_CONNECTION = Set.of("ConnectionRequestTimeoutException",
			"ConnectionPoolTimeoutException");

	private final Effect effect;

	private final String text;

	CallFailure(Effect effect, String text) {
		this.effect = effect;
		this.text = text;
	}

	/** Returns the answer of a call that failed for this reason. */
	Answer answer(LockException explained) {
		return switch (this.effect) {
			case NONE -> new Answer.NotApplied(explained);
			case NONE_EVER -> new Answer.Failed(explained);
			case UNKNOWN -> new Answer.Unknown(explained);
		};
	}

	/** Returns the end of a sentence about the call, with advice. */
	String describe(Throwable error, String advice) {
		Object reason = switch (this) {
			case UNREACHABLE, NO_CONNECTION, CONNECTION_BROKEN, CREDENTIALS_FILE -> network(error);
			case NOT_DYNAMODB -> ((AwsServiceException) error).statusCode();
			case OTHER -> error;
			default -> reason(error);
		};
		return String.format(Locale.ROOT, this.text, reason, code(error), advice);
	}

	static CallFailure of(Throwable error) {
		if (error instanceof AwsServiceException service) {
			return answered(service);
		}
		if (error instanceof ApiCallTimeoutException || error instanceof ApiCallAttemptTimeoutException) {
			return TIMED_OUT;
		}
		if (cause(error, CallFailure::isInterrupt) != null) {
			return INTERRUPTED;
		}
		if (isClosed(error)) {
			return CLIENT_CLOSED;
		}
		if (error instanceof SdkClientException && reason(error).contains("load credentials")) {
			// The credentials endpoints of instances and containers may answer the next
			// time.
			return reason(error).contains("Failed to load credentials from") ? CREDENTIALS_UNAVAILABLE : NO_CREDENTIALS;
		}
		if (error instanceof SdkClientException && reason(error).contains("contained no credentials")) {
			return NO_CREDENTIALS;
		}
		Throwable network = network(error);
		if (network == null) {
			return OTHER;
		}
		if (network instanceof FileSystemException || network instanceof FileNotFoundException) {
			return CREDENTIALS_FILE;
		}
		return notSent(error, network);
	}

	private static CallFailure answered(AwsServiceException error) {
		String code = code(error);
		// After a suspension, the SDK signs with the old time until it has adjusted to
		// the service's.
		boolean passes = EXPIRED.contains(code) || (code.equals("InvalidSignatureException")
				&& (reason(error).contains("Signature expired") || reason(error).contains("not yet current")));
		if (isOfCredentials(error)) {
			return (passes || error.isThrottlingException() || error.statusCode() >= 500
					|| code.equals("IDPCommunicationError")) ? CREDENTIALS_UNAVAILABLE : BAD_CREDENTIALS;
		}
		if (!isOfDynamoDb(error)) {
			return OTHER;
		}
		if (passes) {
			return CREDENTIALS_EXPIRED;
		}
		if (BAD.contains(code)) {
			return BAD_CREDENTIALS;
		}
		if (isThrottling(error, code)) {
			return THROTTLED;
		}
		if (error instanceof ResourceNotFoundException) {
			return NO_TABLE;
		}
		return switch (code) {
			case "AccessDeniedException" -> DENIED;
			case "ValidationException", "SerializationException" -> INVALID;
			case "IdempotentParameterMismatchException" -> TOKEN_REPEATED;
			case "" -> NOT_DYNAMODB;
			default -> (error.statusCode() >= 500) ? SERVICE_FAILED : REJECTED;
		};
	}

	private static boolean isThrottling(AwsServiceException error, String code) {
		if (error instanceof TransactionCanceledException cancelled) {
			return cancelled.cancellationReasons().stream().anyMatch((each) -> THROTTLING.contains(each.code()));
		}
		return THROTTLING.contains(code) && error.statusCode() < 500;
	}

	/**
	 * Whether the error is DynamoDB's. An interceptor of the application may call other
	 * services.
	 */
	private static boolean isOfDynamoDb(AwsServiceException error) {
		AwsErrorDetails details = error.awsErrorDetails();
		return details == null || details.serviceName() == null
				|| details.serviceName().equalsIgnoreCase(DynamoDbClient.SERVICE_METADATA_ID);
	}

	private static boolean isOfCredentials(AwsServiceException error) {
		AwsErrorDetails details = error.awsErrorDetails();
		return details != null && details.serviceName() != null
				&& CREDENTIALS_SERVICES.contains(details.serviceName().toLowerCase(Locale.ROOT));
	}

	/**
	 * Decides whether nothing was sent. Only the SDK's own exceptions show that: an
	 * interceptor of the application may use connections, too.
	 */
	private static CallFailure notSent(Throwable error, Throwable network) {
		Throwable cause = error;
		while (cause instanceof SdkClientException && cause.getCause() != cause) {
			cause = cause.getCause();
		}
		if (cause != network || cause == error) {
			return CONNECTION_BROKEN;
		}
		String name = network.getClass().getSimpleName();
		if (NO_FREE_CONNECTION.contains(name)) {
			return NO_CONNECTION;
		}
		boolean unopened = network instanceof ConnectException || network instanceof UnknownHostException
				|| network instanceof NoRouteToHostException || name.equals("ConnectTimeoutException")
				|| (network instanceof SocketTimeoutException
						&& String.valueOf(network.getMessage()).equalsIgnoreCase("connect timed out"));
		return unopened ? UNREACHABLE : CONNECTION_BROKEN;
	}

	private static boolean isInterrupt(Throwable error) {
		return error instanceof AbortedException || error instanceof InterruptedException
				|| error instanceof ClosedByInterruptException;
	}

	/**
	 * Whether the SDK's client is closed. Its timer then rejects tasks, and its
	 * connection pool has a message.
	 */
	private static boolean isClosed(Throwable error) {
		String message = String.valueOf(error.getMessage());
		return (error instanceof RejectedExecutionException && message.contains("ScheduledThreadPoolExecutor"))
				|| (error instanceof IllegalStateException && message.contains("Connection pool shut down"));
	}

	private static @Nullable Throwable network(Throwable error) {
		return (error instanceof AwsServiceException) ? null : cause(error, IOException.class::isInstance);
	}

	private static @Nullable Throwable cause(Throwable error, Predicate<Throwable> wanted) {
		Throwable cause = error;
		// A chain of causes can be circular.
		for (int depth = 0; cause != null && depth < 20; depth++) {
			if (wanted.test(cause)) {
				return cause;
			}
			cause = cause.getCause();
		}
		return null;
	}

	/** Returns DynamoDB's error code, or an empty string for other errors. */
	static String code(Throwable error) {
		AwsErrorDetails details = details(error);
		return (details == null || details.errorCode() == null) ? "" : details.errorCode();
	}

	/** Returns the message of DynamoDB or of the SDK. */
	static String reason(Throwable error) {
		AwsErrorDetails details = details(error);
		if (details != null) {
			return String.valueOf(details.errorMessage());
		}
		return String.valueOf((error instanceof SdkException sdk) ? sdk.rawMessage() : error.getMessage());
	}

	private static @Nullable AwsErrorDetails details(Throwable error) {
		return (error instanceof AwsServiceException service) ? service.awsErrorDetails() : null;
	}

	private enum Effect {

		/** It had no effect; the same call may succeed later. */
		NONE,

		/** It had no effect, and the same call will fail again. */
		NONE_EVER,

		/** It may have had an effect, or may still have one. */
		UNKNOWN

	}

}
