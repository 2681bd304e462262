/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** The exceptions with which DynamoDB rejects calls. */
final class Failures {

	private Failures() {
	}

	static AwsServiceException of(AwsServiceException.Builder failure, String code, String message) {
		return failure.message(message)
			.statusCode(400)
			.awsErrorDetails(
					AwsErrorDetails.builder().serviceName("DynamoDb").errorCode(code).errorMessage(message).build())
			.build();
	}

	static AwsServiceException validation(String message) {
		return of(DynamoDbException.builder(), "ValidationException", message);
	}

}
