/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ReplicatedWriteConflictException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/**
 * What can go wrong with one attempt of a call. Both methods are called on the thread
 * that makes the attempt; what they throw is what becomes of it. The SDK may repeat the
 * attempt, as it would for the same fault in production.
 */
public interface CallFault {

	/**
	 * What happens before the request is sent. It does not arrive if this throws.
	 */
	default void beforeSending(SdkRequest request) {
	}

	/**
	 * What happens when DynamoDB has carried out the request. The caller never sees the
	 * answer if this throws.
	 */
	default void beforeAnswer(SdkRequest request) {
	}

	/** The connection breaks before the request arrives. */
	static CallFault requestLost() {
		return refused(() -> SdkClientException.create("reset", new IOException("The test lost this request")));
	}

	/** The request is carried out, and the connection breaks before the answer comes. */
	static CallFault answerLost() {
		return spoilt(() -> SdkClientException.create("reset", new IOException("The test lost this answer")));
	}

	/** The request is not carried out: too many of them came. */
	static CallFault throttled() {
		return refused(() -> service(ThrottlingException.builder(), 400, "ThrottlingException"));
	}

	/** The request is not carried out: a transaction on the same item is under way. */
	static CallFault conflict() {
		return refused(() -> service(TransactionConflictException.builder(), 400, "TransactionConflictException"));
	}

	/** The request is not carried out: another region writes the same item. */
	static CallFault replicatedWriteConflict() {
		return refused(
				() -> service(ReplicatedWriteConflictException.builder(), 400, "ReplicatedWriteConflictException"));
	}

	/** The request is not carried out: the service has an error. */
	static CallFault serverError() {
		return refused(() -> service(InternalServerErrorException.builder(), 500, "InternalServerError"));
	}

	/** The request is carried out, and answered with an error of the service. */
	static CallFault serverErrorAfterwards() {
		return spoilt(() -> service(InternalServerErrorException.builder(), 500, "InternalServerError"));
	}

	/** The request is not carried out: its sender has no right to it. */
	static CallFault denied() {
		return refused(() -> service(DynamoDbException.builder(), 400, "AccessDeniedException"));
	}

	/** Anything is thrown instead of sending the request. */
	static CallFault thrown(Supplier<? extends Throwable> thrown) {
		return refused(thrown);
	}

	/** The request takes that much longer to arrive. */
	static CallFault delayed(Duration delay) {
		return new Delay(delay);
	}

	private static CallFault refused(Supplier<? extends Throwable> thrown) {
		return new CallFault() {
			@Override
			public void beforeSending(SdkRequest request) {
				CallFault.<RuntimeException>rethrow(thrown.get());
			}
		};
	}

	private static CallFault spoilt(Supplier<? extends Throwable> thrown) {
		return new CallFault() {
			@Override
			public void beforeAnswer(SdkRequest request) {
				CallFault.<RuntimeException>rethrow(thrown.get());
			}
		};
	}

	private static AwsServiceException service(AwsServiceException.Builder exception, int status, String code) {
		return exception.statusCode(status)
			.awsErrorDetails(AwsErrorDetails.builder()
				.serviceName("DynamoDb")
				.errorCode(code)
				.errorMessage("The test answers so")
				.build())
			.build();
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
		throw (T) thrown;
	}

}
