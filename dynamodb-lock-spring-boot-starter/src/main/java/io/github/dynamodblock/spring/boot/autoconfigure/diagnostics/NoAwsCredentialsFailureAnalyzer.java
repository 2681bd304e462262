/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import java.util.regex.Pattern;

import io.github.dynamodblock.LockStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports that there are no AWS credentials.
 */
class NoAwsCredentialsFailureAnalyzer extends AbstractFailureAnalyzer<LockStoreException> {

	private static final Pattern PROVIDERS = Pattern.compile("(?s):? (?:AwsCredentialsProviderChain|ProfileFile)\\(.*");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockStoreException cause) {
		if (StoreFailure.of(cause) != StoreFailure.NO_CREDENTIALS) {
			return null;
		}
		LockTableSetupException setup = findCause(rootFailure, LockTableSetupException.class);
		return new FailureAnalysis(
				"There are no AWS credentials for the lock table:\n\n    " + withoutProviders(cause.getMessage())
						+ ((setup != null) ? "\n\n" + setup.dynamoDbClient() + "." : ""),
				"Give the application a role, or set credentials where the SDK looks for them: the environment variables "
						+ "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or an AWS profile. Where the application has no "
						+ "DynamoDbClient bean, dynamodb-lock.dynamodb.access-key and dynamodb-lock.dynamodb.secret-key, or "
						+ "dynamodb-lock.dynamodb.profile, do as well. DynamoDB Local takes any credentials.",
				cause);
	}

	/**
	 * The SDK appends its whole chain of providers, or the contents of a profile file.
	 */
	private static String withoutProviders(@Nullable String message) {
		return PROVIDERS.matcher(String.valueOf(message)).replaceFirst("");
	}

}
