/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Failures as the real SDK reports them: the shape of its exceptions decides what is
 * known of a call.
 */
@Timeout(60)
class SdkFailureTests {

	private static final Step.Read READ = new Step.Read(LockKey.of("k"), true, Step.Call.LONGEST_NANOS);

	@Test
	void aUsedUpConnectionPoolIsNamed() throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				DynamoDbClient client = TestDynamoDb.newClient(
						(builder) -> builder.endpointOverride(URI.create("http://127.0.0.1:" + silent.getLocalPort()))
							.httpClientBuilder(Apache5HttpClient.builder()
								.maxConnections(1)
								.connectionAcquisitionTimeout(Duration.ofMillis(200))))) {
			// Two calls at once, whichever of them gets the connection.
			await().atMost(Duration.ofSeconds(50)).untilAsserted(() -> {
				CompletableFuture<Answer> other = CompletableFuture.supplyAsync(() -> send(client));
				assertThat(List.of(send(client), other.join()))
					.anySatisfy((each) -> assertThat(each).isInstanceOfSatisfying(Answer.NotApplied.class,
							(answer) -> assertThat(answer.description()).contains("no connection", "maxConnections")));
			});
		}
	}

	@Test
	void aClosedClientIsNamedWithoutTheNamesOfItsTasks() {
		DynamoDbClient closed = TestDynamoDb.newClient();
		closed.close();
		assertThat(send(closed)).isInstanceOfSatisfying(Answer.Failed.class,
				(answer) -> assertThat(answer.failure()).hasMessageContaining("the DynamoDbClient is closed")
					.hasMessageNotContaining("@"));
	}

	@Test
	void anInterruptIsToldApartFromAnOutage() {
		DynamoDbClient client = TestDynamoDb.client();
		Thread.currentThread().interrupt();
		Answer answer = send(client);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(answer).isInstanceOfSatisfying(Answer.Unknown.class, (unknown) -> {
			assertThat(unknown.description()).contains("was interrupted");
			assertThat(StoreErrors.isInterrupt(unknown.cause())).isTrue();
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					ThrottlingException                    | TableWriteKeyRangeThroughputExceeded      | use finer keys
					ThrottlingException                    | TableReadMaxOnDemandThroughputExceeded    | maximum on-demand throughput
					ThrottlingException                    | TableWriteAccountLimitExceeded            | Request a higher quota
					ProvisionedThroughputExceededException | TableWriteProvisionedThroughputExceeded   | provisioned capacity
					ProvisionedThroughputExceededException | TableReadKeyRangeThroughputExceeded       | use finer keys
					RequestLimitExceeded                   | TableReadAccountLimitExceeded             | Request a higher quota
					""")
	void theReasonThatDynamoDbGivesForThrottlingIsReadAndHasItsCure(String code, String reason, String cure) {
		// As in DynamoDB's API.
		String list = code.equals("ThrottlingException") ? "throttlingReasons" : "ThrottlingReasons";
		String body = """
				{"__type": "com.amazonaws.dynamodb.v20120810#%s", "message": "slower",
				"%s": [{"reason": "%s", "resource": "arn:locks"}]}""".formatted(code, list, reason);
		try (DynamoDbClient client = TestDynamoDb
			.newClient((builder) -> builder.httpClientBuilder(null).httpClient(answering(400, body)))) {
			assertThat(send(client)).isInstanceOfSatisfying(Answer.NotApplied.class,
					(answer) -> assertThat(answer.description())
						.contains("was throttled: slower. The limit is " + reason + " of arn:locks. ")
						.contains(cure));
		}
	}

	private static Answer send(DynamoDbClient client) {
		return new DynamoDbLockStore(client, TableSchema.of("locks")).send(READ);
	}

	private static SdkHttpClient answering(int status, String body) {
		return new SdkHttpClient() {
			@Override
			public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
				return new ExecutableHttpRequest() {
					@Override
					public HttpExecuteResponse call() {
						byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
						return HttpExecuteResponse.builder()
							.response(SdkHttpResponse.builder().statusCode(status).build())
							.responseBody(AbortableInputStream.create(new ByteArrayInputStream(bytes)))
							.build();
					}

					@Override
					public void abort() {
					}
				};
			}

			@Override
			public void close() {
			}
		};
	}

}
