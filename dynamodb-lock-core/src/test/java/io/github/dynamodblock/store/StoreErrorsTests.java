/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;
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
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;

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
	@ValueSource(strings = { "KMS key access denied error: User is not authorized to perform: kms:Decrypt",
			"User: u is not authorized to perform: dynamodb:UpdateItem with an explicit deny in a service control policy",
			"User: u is not authorized to perform: dynamodb:UpdateItem because no VPC endpoint policy allows the action",
			"User: u is not authorized to perform: dynamodb:UpdateItem because no permissions boundary allows it" })
	void aDenialByAnotherPolicyIsQuotedAndAsksForNoGrant(String reason) {
		assertThat(this.errors.explain("UpdateItem", service("AccessDeniedException", 400, reason)))
			.hasMessageContaining("is not allowed: " + reason)
			.hasMessageContaining("Change the policy that this message names")
			.hasMessageNotContaining("IAM action");
	}

	static Stream<Arguments> curesByReason() {
		return Stream.of(
				arguments("TableWriteKeyRangeThroughputExceeded", "Too many calls are for one lock or partition key"),
				arguments("TableWriteAccountLimitExceeded", "Request a higher quota"),
				arguments("TableReadMaxOnDemandThroughputExceeded", "Raise the table's maximum on-demand throughput"),
				arguments("TableWriteProvisionedThroughputExceeded", "Increase the table's provisioned capacity"));
	}

	@ParameterizedTest
	@MethodSource("curesByReason")
	void eachLimitThatThrottlesHasItsOwnCure(String reason, String cure) {
		ThrottlingReason limit = ThrottlingReason.builder().reason(reason).resource("arn:aws:table/locks").build();
		Throwable error = throttled(ThrottlingException.builder().throttlingReasons(limit), "ThrottlingException");
		assertThat(this.errors.explain("UpdateItem", error))
			.hasMessageContaining("was throttled: slower. The limit is " + reason + " of arn:aws:table/locks. " + cure);
		assertThat(this.errors.answer("UpdateItem", error)).isInstanceOf(Answer.NotApplied.class);
	}

	@Test
	void aLimitOfTheAccountWithoutAReasonHasItsCureToo() {
		Throwable error = throttled(RequestLimitExceededException.builder(), "RequestLimitExceeded");
		assertThat(this.errors.explain("UpdateItem", error)).hasMessageContaining("Request a higher quota");
	}

	private static Throwable throttled(AwsServiceException.Builder error, String code) {
		return error.statusCode(400)
			.numAttempts(1)
			.awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage("slower").build())
			.build();
	}

	static Stream<Throwable> errorsOfLastingReasons() {
		return Stream.of(service("AccessDeniedException", 400, "no"), service("UnrecognizedClientException", 400, "no"),
				service("InvalidSignatureException", 400, "The request signature we calculated does not match"),
				service("MissingAuthenticationTokenException", 400, "no"), service("ValidationException", 400, "no"),
				ofCredentials("AccessDenied", 403, "User is not authorized to perform: sts:AssumeRole"),
				SdkClientException.create("Unable to load credentials from any of the providers in the chain"),
				ResourceNotFoundException.builder().message("no").build());
	}

	@ParameterizedTest
	@MethodSource("errorsOfLastingReasons")
	void aCallThatWouldFailAgainEndsAtOnce(Throwable error) {
		assertThat(this.errors.answer("UpdateItem", error)).isInstanceOf(Answer.Failed.class);
	}

	static Stream<Throwable> errorsThatPass() {
		return Stream.of(service("ThrottlingException", 400, "slower"),
				service("ProvisionedThroughputExceededException", 400, "slower"),
				service("RequestLimitExceeded", 400, "slower"),
				service("ExpiredTokenException", 400, "The security token included in the request is expired"),
				service("InvalidSignatureException", 400, "Signature expired: 20261128T1200Z is now earlier than ..."),
				service("InvalidSignatureException", 400, "Signature not yet current: 20261128T1200Z ..."),
				ofCredentials("ExpiredToken", 403, "The web identity token is expired"),
				ofCredentials("InternalFailure", 500, "oops"), ofCredentials("Throttling", 400, "slower"),
				SdkClientException.create("Unable to load credentials from any of the providers in the chain X: "
						+ "[InstanceProfileCredentialsProvider(): Failed to load credentials from IMDS.]"),
				SdkClientException.create("Failed to load credentials from metadata service.",
						new IOException("Read timed out")),
				sent(new ConnectException("refused")), sent(new UnknownHostException("dynamodb")),
				sent(new SocketTimeoutException("Connect timed out")),
				SdkClientException.create("Received an UnknownHostException", sent(new UnknownHostException("d"))));
	}

	@ParameterizedTest
	@MethodSource("errorsThatPass")
	void aCallThatCertainlyChangedNothingAndMaySucceedLaterIsNotApplied(Throwable error) {
		assertThat(this.errors.answer("UpdateItem", error)).isInstanceOf(Answer.NotApplied.class);
	}

	@Test
	void anErrorOfTheCredentialsServiceIsNotToldAsOneOfTheTable() {
		assertThat(this.errors.explain("UpdateItem", ofCredentials("Throttling", 400, "slower")))
			.hasMessageContaining("credentials")
			.hasMessageNotContaining("capacity");
	}

	private static Throwable sent(IOException failure) {
		return SdkClientException.create("Unable to execute HTTP request", failure);
	}

	private static AwsServiceException ofCredentials(String code, int status, String message) {
		return AwsServiceException.builder()
			.statusCode(status)
			.numAttempts(1)
			.awsErrorDetails(AwsErrorDetails.builder().serviceName("Sts").errorCode(code).errorMessage(message).build())
			.build();
	}

	static Stream<Throwable> errorsOfUnknownEffect() {
		return Stream.of(service("InternalServerError", 500, "oops"), service("ServiceUnavailable", 503, "later"),
				service("ThrottlingException", 503, "slower"),
				service("TransactionInProgressException", 400, "in progress"),
				service("TransactionConflictException", 400, "conflict"),
				service("ReplicatedWriteConflictException", 400, "conflict"), service("NewException", 400, "new"),
				AwsServiceException.builder().message("no details").build(), ApiCallTimeoutException.create(100),
				sent(new SocketException("Connection reset")), sent(new SocketTimeoutException("Read timed out")),
				new IllegalStateException("of an interceptor", new ConnectException("refused")),
				new UncheckedIOException(new NoSuchFileException("/var/run/token")), new OutOfMemoryError("x"),
				AbortedException.create("Thread was interrupted"),
				retried(service("ThrottlingException", 400, "slower")),
				retried(service("AccessDeniedException", 400, "no")),
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
						"set credentials where the DynamoDbClient looks for them"),
				arguments(SdkClientException.create("Profile file contained no credentials for profile 'orders'"),
						"found no AWS credentials"),
				arguments(service("ExpiredTokenException", 400, "The security token is expired"),
						"Check the credentials of the DynamoDbClient"),
				arguments(ApiCallTimeoutException.create(100), "not answered in time"),
				arguments(new UncheckedIOException(new NoSuchFileException("/var/run/token")),
						"a file cannot be read: java.nio.file.NoSuchFileException: /var/run/token"),
				arguments(sent(new SocketException("Connection reset")), "the connection failed"));
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
