/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** What DynamoDB answers to calls that it refuses. */
final class Failures {

	private static final int STATUS = 400;

	private Failures() {
	}

	static DynamoDbException validation(String message) {
		return (DynamoDbException) DynamoDbException.builder()
			.message(message)
			.statusCode(STATUS)
			.awsErrorDetails(details("ValidationException", message))
			.build();
	}

	static ResourceNotFoundException noTable(String table) {
		String message = "Requested resource not found: Table: " + table + " not found";
		return ResourceNotFoundException.builder()
			.message(message)
			.statusCode(STATUS)
			.awsErrorDetails(details("ResourceNotFoundException", message))
			.build();
	}

	static ResourceInUseException tableExists(String table) {
		String message = "Table already exists: " + table;
		return ResourceInUseException.builder()
			.message(message)
			.statusCode(STATUS)
			.awsErrorDetails(details("ResourceInUseException", message))
			.build();
	}

	static IdempotentParameterMismatchException tokenOfAnother(String token) {
		String message = "The client request token " + token + " was used with other parameters";
		return IdempotentParameterMismatchException.builder()
			.message(message)
			.statusCode(STATUS)
			.awsErrorDetails(details("IdempotentParameterMismatchException", message))
			.build();
	}

	static AwsErrorDetails details(String code, String message) {
		return AwsErrorDetails.builder().serviceName("DynamoDb").errorCode(code).errorMessage(message).build();
	}

}
