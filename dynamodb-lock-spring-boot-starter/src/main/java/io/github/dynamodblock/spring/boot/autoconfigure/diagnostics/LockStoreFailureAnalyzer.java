/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.dynamodblock.LockStoreException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports that DynamoDB denied access or was not reached, or that there are no
 * credentials for it.
 */
class LockStoreFailureAnalyzer extends AbstractFailureAnalyzer<LockStoreException> {

	// In the words of AWS, which has no fields for them.
	private static final Pattern ACTION = Pattern.compile("\\b(?:dynamodb|kms):[A-Z]\\w+");

	private static final Pattern RESOURCE = Pattern.compile("on resource: (arn:\\S+)");

	private static final Pattern TABLE = Pattern.compile(":table/([^/\\s]+)");

	private static final Pattern PROVIDERS = Pattern.compile("(?s):? (?:AwsCredentialsProviderChain|ProfileFile)\\(.*");

	private static final int DEEPEST = 20;

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockStoreException cause) {
		LockTableSetupException setup = findCause(rootFailure, LockTableSetupException.class);
		Throwable error = cause.getCause();
		if (error instanceof AwsServiceException service) {
			String code = (service.awsErrorDetails() != null) ? service.awsErrorDetails().errorCode() : null;
			if (code == null) {
				// DynamoDB always gives a code: another server has answered.
				return unreachable(cause, setup);
			}
			return "AccessDeniedException".equals(code) ? accessDenied(cause, service, setup) : null;
		}
		if (foundNoCredentials(error)) {
			return noCredentials(cause, setup);
		}
		return (error instanceof ApiCallTimeoutException || isNetworkFault(error)) ? unreachable(cause, setup) : null;
	}

	private static FailureAnalysis accessDenied(LockStoreException cause, AwsServiceException denial,
			@Nullable LockTableSetupException setup) {
		String message = String.valueOf(denial.getMessage());
		Matcher action = ACTION.matcher(message);
		Matcher resource = RESOURCE.matcher(message);
		String denied = action.find() ? action.group() : "dynamodb:*";
		String table = (setup != null) ? setup.tableName() : null;
		String arn = resource.find() ? resource.group(1) : arn(table);
		Matcher tableOfArn = TABLE.matcher(arn);
		if (table == null && tableOfArn.find()) {
			table = tableOfArn.group(1);
		}
		return new FailureAnalysis(
				"The application's role may not do " + denied + " on the lock table"
						+ ((table != null) ? " '" + table + "'" : "") + ":\n\n    " + cause.getMessage()
						+ dynamoDbClient(setup),
				"Allow it, by a statement in the role's IAM policy:\n\n    {\"Effect\": \"Allow\", \"Action\": \""
						+ denied + "\", \"Resource\": \"" + arn + "\"}",
				cause);
	}

	private static String arn(@Nullable String table) {
		if (table == null) {
			return "<the ARN of the lock table>";
		}
		return table.startsWith("arn:") ? table : "arn:aws:dynamodb:*:*:table/" + table;
	}

	private static FailureAnalysis noCredentials(LockStoreException cause, @Nullable LockTableSetupException setup) {
		// The SDK appends its whole chain of providers, or the contents of a profile
		// file.
		String message = PROVIDERS.matcher(String.valueOf(cause.getMessage())).replaceFirst("");
		return new FailureAnalysis(
				"There are no AWS credentials for the lock table:\n\n    " + message + dynamoDbClient(setup),
				"Give the application a role, or set credentials where the SDK looks for them: the environment variables "
						+ "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or an AWS profile. Where the application has no "
						+ "DynamoDbClient bean, dynamodb-lock.dynamodb.access-key and dynamodb-lock.dynamodb.secret-key, or "
						+ "dynamodb-lock.dynamodb.profile, do as well. DynamoDB Local takes any credentials.",
				cause);
	}

	private static FailureAnalysis unreachable(LockStoreException cause, @Nullable LockTableSetupException setup) {
		return new FailureAnalysis("DynamoDB cannot be reached:\n\n    " + cause.getMessage() + dynamoDbClient(setup),
				"Check that something answers at this address, that the region is right, and that proxies, security "
						+ "groups and VPC endpoints let the application through. If it is DynamoDB Local, start it.",
				cause);
	}

	private static String dynamoDbClient(@Nullable LockTableSetupException setup) {
		return (setup != null) ? "\n\n" + setup.dynamoDbClient() + "." : "";
	}

	private static boolean foundNoCredentials(@Nullable Throwable error) {
		// In the SDK's words: by its chain, and by a profile that is missing or empty.
		return error instanceof SdkClientException && error.getMessage() != null
				&& (error.getMessage().contains("load credentials")
						|| error.getMessage().contains("contained no credentials"));
	}

	private static boolean isNetworkFault(@Nullable Throwable error) {
		Throwable cause = error;
		// A chain of causes can be a ring.
		for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
			if (cause instanceof IOException) {
				return true;
			}
			cause = cause.getCause();
		}
		return false;
	}

}
