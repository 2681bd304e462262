/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.net.ConnectException;
import java.net.URI;
import java.util.stream.Stream;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The errors that DynamoDB Local does not give, as the SDK would throw them.
 */
class StoreErrorsTests {

	private static final DynamoDbClient CLIENT = DynamoDbClient.builder()
		.region(Region.EU_CENTRAL_1)
		.endpointOverride(URI.create("http://127.0.0.1:1"))
		.build();

	private final StoreErrors errors = new StoreErrors(CLIENT, TableSchema.of("locks"));

	@AfterAll
	static void closeClient() {
		CLIENT.close();
	}

	@Test
	void everyMessageNamesTheOperationAndThePlace() {
		LockException explained = this.errors.explain("UpdateItem", service("InternalServerError", 500, "oops"));
		assertThat(explained).isInstanceOf(LockStoreException.class)
			.hasMessage(
					"UpdateItem of table 'locks' in region eu-central-1 at http://127.0.0.1:1 failed in the service: "
							+ "InternalServerError: oops");
	}

	@Test
	void theExceptionOfTheSdkIsTheCause() {
		Throwable error = service("AccessDeniedException", 400, "no");
		assertThat(this.errors.explain("UpdateItem", error)).hasCause(error);
	}

	@Test
	void aDeniedCallNamesThePermission() {
		LockException explained = this.errors.explain("DescribeTimeToLive",
				service("AccessDeniedException", 400, "User is not authorized"));
		assertThat(explained).hasMessageContaining("User is not authorized")
			.hasMessageContaining("IAM action dynamodb:DescribeTimeToLive");
	}

	@Test
	void anAnswerOfAnotherServerIsReportedAsOne() {
		Throwable error = AwsServiceException.builder().statusCode(404).build();
		assertThat(this.errors.explain("UpdateItem", error)).hasMessageContaining("HTTP status 404")
			.hasMessageContaining("may not be DynamoDB")
			.hasMessageNotContaining("null");
	}

	@Test
	void throttlingIsExplainedByCapacity() {
		Throwable error = service("ProvisionedThroughputExceededException", 400, "The level of ... was exceeded");
		assertThat(this.errors.explain("UpdateItem", error)).hasMessageContaining("throttled")
			.hasMessageContaining("capacity");
	}

	@Test
	void aClientWithoutARegionIsNoError() {
		DynamoDbClient silent = new DynamoDbClient() {
			@Override
			public String serviceName() {
				return "dynamodb";
			}

			@Override
			public void close() {
			}
		};
		LockException explained = new StoreErrors(silent, TableSchema.of("locks")).explain("UpdateItem",
				ResourceNotFoundException.builder().build());
		assertThat(explained).isInstanceOf(LockTableException.class)
			.hasMessageContaining("in the region of the DynamoDbClient");
	}

	@ParameterizedTest
	@ValueSource(strings = { "AccessDeniedException", "UnrecognizedClientException", "InvalidSignatureException",
			"MissingAuthenticationTokenException", "ExpiredTokenException", "ValidationException" })
	void aRequestThatDynamoDbRejectsHadNoEffect(String code) {
		assertThat(this.errors.answer("UpdateItem", service(code, 400, "no"))).isInstanceOf(Answer.Failed.class);
	}

	static Stream<Throwable> errorsOfUnknownEffect() {
		return Stream.of(service("InternalServerError", 500, "oops"), service("ServiceUnavailable", 503, "later"),
				service("ThrottlingException", 400, "slower"),
				service("ProvisionedThroughputExceededException", 400, "slower"),
				service("RequestLimitExceeded", 400, "slower"),
				service("TransactionConflictException", 400, "conflict"),
				service("ReplicatedWriteConflictException", 400, "conflict"), service("NewException", 400, "new"),
				AwsServiceException.builder().message("no details").build(), ApiCallTimeoutException.create(100),
				SdkClientException.create("reset", new ConnectException("refused")), new IllegalStateException("x"),
				new OutOfMemoryError("x"), retried(service("AccessDeniedException", 400, "no")),
				retried(service("ValidationException", 400, "no")),
				retried(ResourceNotFoundException.builder().message("no").build()));
	}

	@ParameterizedTest
	@MethodSource("errorsOfUnknownEffect")
	void everyOtherErrorMayHaveHadAnEffect(Throwable error) {
		assertThat(this.errors.answer("UpdateItem", error)).isInstanceOfSatisfying(Answer.Unknown.class,
				(unknown) -> assertThat(unknown.cause()).hasMessageContaining("locks").hasCause(error));
	}

	@ParameterizedTest
	@ValueSource(strings = { "The provided key element does not match the schema",
			"The number of conditions on the keys is invalid", "One of the required keys was not given a value",
			"One or more parameter values were invalid: Missing the key id in the item",
			"One or more parameter values were invalid: Type mismatch for key key expected: N actual: S",
			"Cannot update attribute ownerName. This attribute is part of the key" })
	void aKeyThatTheTableDoesNotHaveIsRecognised(String message) {
		LockException explained = this.errors.explain("UpdateItem", service("ValidationException", 400, message));
		assertThat(explained).isInstanceOfSatisfying(LockTableException.class,
				(wrong) -> assertThat(wrong.problem()).isEqualTo(LockTableException.Problem.WRONG_KEY_SCHEMA));
		assertThat(explained).hasMessageContaining("partition key 'key' (S) and no sort key")
			.hasMessageContaining(message);
	}

	static Stream<Arguments> adviceByError() {
		return Stream.of(
				arguments(SdkClientException.create("Unable to execute HTTP request", new ConnectException("refused")),
						"Check the endpoint and the region"),
				arguments(SdkClientException.create("Unable to load credentials from any of the providers"),
						"credentials provider"),
				arguments(SdkClientException.create("Profile file contained no credentials for profile 'orders'"),
						"found no AWS credentials"),
				arguments(service("ExpiredTokenException", 400, "The security token is expired"),
						"Check the credentials of the DynamoDbClient"),
				arguments(ApiCallTimeoutException.create(100), "not answered in time"));
	}

	@ParameterizedTest
	@MethodSource("adviceByError")
	void theMessageSaysHowToFixIt(Throwable error, String advice) {
		assertThat(this.errors.explain("UpdateItem", error)).hasMessageContaining(advice);
	}

	private static SdkException retried(SdkException error) {
		return error.toBuilder().numAttempts(2).build();
	}

	private static AwsServiceException service(String code, int status, String message) {
		return DynamoDbException.builder()
			.statusCode(status)
			.numAttempts(1)
			.awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage(message).build())
			.build();
	}

}
