/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import java.io.IOException;

import io.github.dynamodblock.LockStoreException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * What kept DynamoDB from answering, as far as there is a report of its own for it.
 */
enum StoreFailure {

	ACCESS_DENIED, NO_CREDENTIALS, UNREACHABLE, OTHER;

	private static final int DEEPEST = 20;

	static StoreFailure of(LockStoreException failure) {
		Throwable error = failure.getCause();
		if (error instanceof AwsServiceException service) {
			String code = (service.awsErrorDetails() != null) ? service.awsErrorDetails().errorCode() : null;
			// DynamoDB always gives a code: somebody else answers.
			return (code == null) ? UNREACHABLE : "AccessDeniedException".equals(code) ? ACCESS_DENIED : OTHER;
		}
		if (foundNoCredentials(error)) {
			return NO_CREDENTIALS;
		}
		return (error instanceof ApiCallTimeoutException || isNetworkFault(error)) ? UNREACHABLE : OTHER;
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
