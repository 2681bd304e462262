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
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockTableException.Problem;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The answers for pages that cannot be read.
 */
class ListingFailureTests {

	private static final long LIMIT = Duration.ofSeconds(20).toNanos();

	@Test
	void aMissingTableFailsEveryListing() {
		TableSchema missing = TableSchema.of(TestDynamoDb.newTableName());
		assertThat(everyListing(TestDynamoDb.client(), missing, 100)).hasSize(3)
			.allSatisfy((answer) -> assertThat(unfit(answer, Problem.MISSING)).hasMessageContaining(missing.tableName())
				.hasMessageContaining("aws dynamodb create-table --table-name " + missing.tableName()));
	}

	@Test
	void anotherPartitionKeyFailsEveryListing() {
		TableSchema table = TestDynamoDb.newTable();
		put(table, AttributeValue.fromS("orders"), null);
		TableSchema configured = new TableSchema(table.tableName(), "id", null, "fencingToken", "expiresAt");
		assertThat(everyListing(TestDynamoDb.client(), configured, 100)).hasSize(3)
			.allSatisfy((answer) -> assertThat(unfit(answer, Problem.WRONG_KEY_SCHEMA))
				.hasMessageContaining("partition key 'id' (S)"));
	}

	@Test
	void aKeyOfAnotherTypeFailsEveryListing() {
		TableSchema table = TestDynamoDb.create(TableSchema.of(TestDynamoDb.newTableName()), ScalarAttributeType.N);
		put(table, AttributeValue.fromN("42"), null);
		assertThat(everyListing(TestDynamoDb.client(), table, 100)).hasSize(3)
			.allSatisfy((answer) -> unfit(answer, Problem.WRONG_KEY_SCHEMA));
	}

	@Test
	void aSortKeyThatTheTableDoesNotHaveFailsEveryListing() {
		TableSchema table = TestDynamoDb.newTable();
		put(table, AttributeValue.fromS("orders"), null);
		put(table, AttributeValue.fromS("billing/orders"), null);
		TableSchema configured = new TableSchema(table.tableName(), "key", "part", "fencingToken", "expiresAt");
		assertThat(everyListing(TestDynamoDb.client(), configured, 100)).hasSize(3)
			.allSatisfy((answer) -> assertThat(unfit(answer, Problem.WRONG_KEY_SCHEMA))
				.hasMessageContaining("sort key 'part'"));
	}

	@Test
	void aSortKeyThatIsNotConfiguredIsFoundWhereAPageEnds() {
		TableSchema table = TestDynamoDb.newTable("part");
		for (String part : new String[] { "1", "2" }) {
			put(table, AttributeValue.fromS("orders"), part);
			put(table, AttributeValue.fromS("billing/orders"), part);
		}
		assertThat(everyListing(TestDynamoDb.client(), TableSchema.of(table.tableName()), 1)).hasSize(3)
			.allSatisfy(
					(answer) -> assertThat(unfit(answer, Problem.WRONG_KEY_SCHEMA)).hasMessageContaining("no sort key")
						.hasMessageContaining("part"));
	}

	@ParameterizedTest
	@ValueSource(longs = { 300_000_000L, 1 })
	@Timeout(60)
	void aPageThatIsNotAnsweredWithinItsLimitFails(long limit) throws IOException {
		// Accepts connections and never answers.
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				DynamoDbClient client = TestDynamoDb.newClient((builder) -> builder
					.endpointOverride(URI.create("http://127.0.0.1:" + silent.getLocalPort())))) {
			LockStore store = new DynamoDbLockStore(client, TableSchema.of("locks"));
			assertThat(failure(store.list(page(null, 100), limit))).isInstanceOf(LockStoreException.class)
				.hasMessageContaining("Scan of table 'locks'");
			assertThat(failure(store.list(page("orders", 100), limit))).isInstanceOf(LockStoreException.class)
				.hasMessageContaining("Query of table 'locks'");
		}
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void anExceptionOfAnInterceptorIsAnAnswer() {
		TableSchema table = TestDynamoDb.newTable();
		ExecutionInterceptor interceptor = new ExecutionInterceptor() {
			@Override
			public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
				throw new AssertionError("thrown by the test's interceptor");
			}
		};
		try (DynamoDbClient client = TestDynamoDb.newClient((builder) -> builder
			.overrideConfiguration((override) -> override.addExecutionInterceptor(interceptor)))) {
			assertThat(everyListing(client, table, 100)).hasSize(3)
				.allSatisfy((answer) -> assertThat(failure(answer)).isInstanceOf(LockStoreException.class)
					.hasMessageContaining("thrown by the test's interceptor"));
		}
	}

	private static Stream<PageAnswer> everyListing(DynamoDbClient client, TableSchema schema, int pageSize) {
		LockStore store = new DynamoDbLockStore(client, schema);
		LockStore inNamespace = new DynamoDbLockStore(client, schema.withNamespace("billing"));
		return Stream.of(store.list(page(null, pageSize), LIMIT), store.list(page("orders", pageSize), LIMIT),
				inNamespace.list(page(null, pageSize), LIMIT));
	}

	private static PageRequest page(@Nullable String partition, int size) {
		return new PageRequest(partition, size, true, null);
	}

	private static void put(TableSchema schema, AttributeValue partition, @Nullable String sort) {
		Map<String, AttributeValue> item = new HashMap<>();
		item.put(schema.partitionKeyName(), partition);
		if (schema.sortKeyName() != null) {
			item.put(schema.sortKeyName(), AttributeValue.fromS(sort));
		}
		TestDynamoDb.client().putItem((request) -> request.tableName(schema.tableName()).item(item));
	}

	private static LockTableException unfit(PageAnswer answer, Problem problem) {
		LockException failure = failure(answer);
		assertThat(failure).isInstanceOf(LockTableException.class);
		assertThat(((LockTableException) failure).problem()).isEqualTo(problem);
		return (LockTableException) failure;
	}

	private static LockException failure(PageAnswer answer) {
		assertThat(answer).isInstanceOf(PageAnswer.Failed.class);
		return ((PageAnswer.Failed) answer).failure();
	}

}
