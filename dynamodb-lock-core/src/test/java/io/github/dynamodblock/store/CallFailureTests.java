/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockTableException.Problem;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The answers of calls that fail: either they certainly had no effect, and may or may not
 * have one if they are repeated, or that is unknown.
 */
class CallFailureTests {

	private static final long LIMIT = Duration.ofSeconds(20).toNanos();

	private static final LockKey KEY = LockKey.of("orders-42");

	@Test
	void aMissingTableFailsEveryCall() {
		TableSchema missing = TableSchema.of(TestDynamoDb.newTableName());
		assertThat(everyCall(TestDynamoDb.client(), missing)).allSatisfy(
				(answer) -> assertThat(failure(answer, Problem.MISSING)).hasMessageContaining(missing.tableName())
					.hasMessageContaining("aws dynamodb create-table --table-name " + missing.tableName()));
	}

	@Test
	void anotherPartitionKeyFailsEveryCall() {
		TableSchema table = TestDynamoDb.newTable();
		TableSchema configured = new TableSchema(table.tableName(), "id", null, "fencingToken", "expiresAt");
		assertThat(everyCall(TestDynamoDb.client(), configured)).allSatisfy(
				(answer) -> assertThat(failure(answer, Problem.WRONG_KEY_SCHEMA)).hasMessageContaining("'id' (S)"));
	}

	@Test
	void aSortKeyThatIsNotConfiguredFailsEveryCall() {
		TableSchema configured = TableSchema.of(TestDynamoDb.newTable("part").tableName());
		assertThat(everyCall(TestDynamoDb.client(), configured)).allSatisfy(
				(answer) -> assertThat(failure(answer, Problem.WRONG_KEY_SCHEMA)).hasMessageContaining("no sort key"));
	}

	@Test
	void aKeyOfAnotherTypeFailsEveryCall() {
		TableSchema table = TestDynamoDb.create(TableSchema.of(TestDynamoDb.newTableName()), ScalarAttributeType.N);
		assertThat(everyCall(TestDynamoDb.client(), table))
			.allSatisfy((answer) -> failure(answer, Problem.WRONG_KEY_SCHEMA));
	}

	@Test
	void missingCredentialsFailEveryCall() {
		TableSchema table = TestDynamoDb.newTable();
		AwsCredentialsProviderChain none = AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create());
		try (DynamoDbClient client = TestDynamoDb.newClient((builder) -> builder.credentialsProvider(none))) {
			assertThat(everyCall(client, table))
				.allSatisfy((answer) -> assertThat(answer).isInstanceOfSatisfying(Answer.Failed.class,
						(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
							.hasMessageContaining("found no AWS credentials")));
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 300_000_000L, 1 })
	@Timeout(60)
	void aCallThatIsNotAnsweredWithinItsLimitIsUnknown(long limit) throws IOException {
		// Accepts connections and never answers.
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				DynamoDbClient client = clientOf(silent.getLocalPort())) {
			LockStore store = new DynamoDbLockStore(client, TableSchema.of("locks"));
			assertThat(unknown(store.send(new Step.Write(claim("v1"), limit))))
				.hasMessageContaining("UpdateItem of table 'locks'");
			assertThat(unknown(store.send(new Step.Read(KEY, true, limit))))
				.hasMessageContaining("GetItem of table 'locks'");
		}
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void aCallToAnUnreachableEndpointIsNotAppliedAndNamesIt() throws IOException {
		int closed;
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			closed = socket.getLocalPort();
		}
		try (DynamoDbClient client = TestDynamoDb
			.newClient((builder) -> builder.endpointOverride(URI.create("http://127.0.0.1:" + closed)))) {
			assertThat(everyCall(client, TableSchema.of("locks")))
				.allSatisfy((answer) -> assertThat(answer).isInstanceOfSatisfying(Answer.NotApplied.class,
						(notApplied) -> assertThat(notApplied.cause())
							.hasMessageContaining("http://127.0.0.1:" + closed)
							.hasMessageContaining("Check the endpoint and the region")));
		}
	}

	static Stream<Supplier<Throwable>> whatInterceptorsThrow() {
		return Stream.of(() -> new IllegalStateException("thrown"), () -> new AssertionError("thrown"),
				() -> new Error("thrown"), () -> new OutOfMemoryError("thrown"), () -> new IOException("thrown"),
				() -> new LockTableException("locks", Problem.MISSING, "thrown", null),
				() -> ofAnotherService("ThrottlingException"), () -> ofAnotherService("AccessDeniedException"));
	}

	private static Throwable ofAnotherService(String code) {
		return AwsServiceException.builder()
			.statusCode(400)
			.awsErrorDetails(AwsErrorDetails.builder().serviceName("CloudWatch").errorCode(code).build())
			.build();
	}

	@ParameterizedTest
	@MethodSource("whatInterceptorsThrow")
	void anExceptionOfAnInterceptorAfterTheCallIsUnknown(Supplier<Throwable> thrown) {
		TableSchema table = TestDynamoDb.newTable();
		ExecutionInterceptor interceptor = new ExecutionInterceptor() {
			@Override
			public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
				CallFailureTests.<RuntimeException>rethrow(thrown.get());
			}
		};
		try (DynamoDbClient client = clientWith(interceptor)) {
			unknown(new DynamoDbLockStore(client, table).send(new Step.Write(claim("v1"), LIMIT)));
		}
		// It did have its effect.
		assertThat(new DynamoDbLockStore(TestDynamoDb.client(), table).send(new Step.Write(claim("v2"), LIMIT)))
			.isInstanceOf(Answer.Refused.class);
	}

	@ParameterizedTest
	@MethodSource("whatInterceptorsThrow")
	void anExceptionOfAnInterceptorBeforeTheCallIsUnknown(Supplier<Throwable> thrown) {
		ExecutionInterceptor interceptor = new ExecutionInterceptor() {
			@Override
			public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
				CallFailureTests.<RuntimeException>rethrow(thrown.get());
			}
		};
		try (DynamoDbClient client = clientWith(interceptor)) {
			assertThat(everyCall(client, TableSchema.of("locks"))).allSatisfy(CallFailureTests::unknown);
		}
	}

	@Test
	void anItemThatIsTooLargeFailsWithDynamoDbsMessage() {
		LockRecord wanted = LockRecord.builder(KEY, "alice", Duration.ofSeconds(20), "v1")
			.data(new byte[500_000])
			.build();
		LockStore store = new DynamoDbLockStore(TestDynamoDb.client(), TestDynamoDb.newTable());
		assertThat(store.send(new Step.Write(Writes.claim(wanted, 0, null, null), LIMIT))).isInstanceOfSatisfying(
				Answer.Failed.class, (failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
					.hasMessageContaining("exceeded the maximum allowed size"));
	}

	private static Stream<Answer> everyCall(DynamoDbClient client, TableSchema schema) {
		LockStore store = new DynamoDbLockStore(client, schema);
		return Stream.of(store.send(new Step.Write(claim("v1"), LIMIT)),
				store.send(new Step.Write(Writes.renew(KEY, "v2", "v1", Duration.ofSeconds(20), null), LIMIT)),
				store.send(new Step.Write(Writes.release(KEY, "v2", Set.of("v1"), null, false), LIMIT)),
				store.send(new Step.Write(Writes.release(KEY, "v2", Set.of("v1"), null, true), LIMIT)),
				store.send(new Step.Read(KEY, true, LIMIT)));
	}

	private static LockWrite claim(String version) {
		return Writes.claim(LockRecord.builder(KEY, "alice", Duration.ofSeconds(20), version).build(), 0, null, null);
	}

	private static LockTableException failure(Answer answer, Problem problem) {
		assertThat(answer).isInstanceOf(Answer.Failed.class);
		assertThat(((Answer.Failed) answer).failure()).isInstanceOf(LockTableException.class);
		LockTableException failure = (LockTableException) ((Answer.Failed) answer).failure();
		assertThat(failure.problem()).isEqualTo(problem);
		return failure;
	}

	private static Throwable unknown(Answer answer) {
		assertThat(answer).isInstanceOf(Answer.Unknown.class);
		return ((Answer.Unknown) answer).cause();
	}

	private static DynamoDbClient clientWith(ExecutionInterceptor interceptor) {
		return TestDynamoDb.newClient((builder) -> builder
			.overrideConfiguration((override) -> override.addExecutionInterceptor(interceptor)));
	}

	private static DynamoDbClient clientOf(int port) {
		return TestDynamoDb.newClient((builder) -> builder.endpointOverride(URI.create("http://127.0.0.1:" + port)));
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
		throw (T) thrown;
	}

}
