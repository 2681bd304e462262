/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockTableException.Problem;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * The exceptions for pages that cannot be read.
 */
class ListingFailureTests {

	@Test
	void aMissingTableFailsEveryListing() {
		TableSchema missing = TableSchema.of(TestDynamoDb.newTableName());
		assertThat(everyListing(TestDynamoDb.client(), missing, 100)).hasSize(3)
			.allSatisfy(
					(failure) -> assertThat(unfit(failure, Problem.MISSING)).hasMessageContaining(missing.tableName())
						.hasMessageContaining("aws dynamodb create-table --table-name " + missing.tableName()));
	}

	@Test
	void anotherPartitionKeyFailsEveryListing() {
		TableSchema table = TestDynamoDb.newTable();
		put(table, AttributeValue.fromS("orders"), null);
		TableSchema configured = new TableSchema(table.tableName(), "id", null, "fencingToken", "expiresAt");
		assertThat(everyListing(TestDynamoDb.client(), configured, 100)).hasSize(3)
			.allSatisfy((failure) -> assertThat(unfit(failure, Problem.WRONG_KEY_SCHEMA))
				.hasMessageContaining("partition key 'id' (S)"));
	}

	@Test
	void aKeyOfAnotherTypeFailsEveryListing() {
		TableSchema table = TestDynamoDb.create(TableSchema.of(TestDynamoDb.newTableName()), ScalarAttributeType.N);
		put(table, AttributeValue.fromN("42"), null);
		assertThat(everyListing(TestDynamoDb.client(), table, 100)).hasSize(3)
			.allSatisfy((failure) -> unfit(failure, Problem.WRONG_KEY_SCHEMA));
	}

	@Test
	void aSortKeyThatTheTableDoesNotHaveFailsEveryListing() {
		TableSchema table = TestDynamoDb.newTable();
		put(table, AttributeValue.fromS("orders"), null);
		put(table, AttributeValue.fromS("billing/orders"), null);
		TableSchema configured = new TableSchema(table.tableName(), "key", "part", "fencingToken", "expiresAt");
		assertThat(everyListing(TestDynamoDb.client(), configured, 100)).hasSize(3)
			.allSatisfy((failure) -> assertThat(unfit(failure, Problem.WRONG_KEY_SCHEMA))
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
			.allSatisfy((failure) -> assertThat(unfit(failure, Problem.WRONG_KEY_SCHEMA))
				.hasMessageContaining("no sort key")
				.hasMessageContaining("part"));
	}

	@Test
	@Timeout(60)
	void aPageThatIsNotAnsweredInTimeFails() throws IOException {
		try (ServerSocket silent = silent(); DynamoDbClient client = client(silent)) {
			LockStore store = new DynamoDbLockStore(client, TableSchema.of("locks"));
			// Together, since each waits for the limit of a call.
			CompletableFuture<LockException> scan = CompletableFuture
				.supplyAsync(() -> failure(store, ListRequest.all()));
			assertThat(failure(store, ListRequest.partition("orders"))).isInstanceOf(LockStoreException.class)
				.hasMessageContaining("Query of table 'locks'")
				.hasMessageContaining("was not answered in time");
			assertThat(scan.join()).isInstanceOf(LockStoreException.class)
				.hasMessageContaining("Scan of table 'locks'")
				.hasMessageContaining("was not answered in time");
		}
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void aPageWhoseCallsAreAllInterruptedFailsAndKeepsTheFlag() {
		TableSchema table = TestDynamoDb.newTable();
		ExecutionInterceptor interrupt = new ExecutionInterceptor() {
			@Override
			public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
				Thread.currentThread().interrupt();
			}
		};
		try (DynamoDbClient client = TestDynamoDb.newClient(interrupt)) {
			assertThat(failure(new DynamoDbLockStore(client, table), ListRequest.all()))
				.isInstanceOf(LockStoreException.class)
				.hasMessageContaining("Scan of table '" + table.tableName() + "'")
				.hasMessageContaining("interrupted");
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	/** Accepts connections and never answers. */
	private static ServerSocket silent() throws IOException {
		return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

	private static DynamoDbClient client(ServerSocket server) {
		return TestDynamoDb
			.newClient((builder) -> builder.endpointOverride(URI.create("http://127.0.0.1:" + server.getLocalPort())));
	}

	@Test
	void anExceptionOfAnInterceptorIsExplained() {
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
				.allSatisfy((failure) -> assertThat(failure).isInstanceOf(LockStoreException.class)
					.hasMessageContaining("thrown by the test's interceptor"));
		}
	}

	/** The failures of all kinds of listings. */
	private static Stream<LockException> everyListing(DynamoDbClient client, TableSchema schema, int pageSize) {
		LockStore store = new DynamoDbLockStore(client, schema);
		LockStore inNamespace = new DynamoDbLockStore(client, TestDynamoDb.inNamespace(schema, "billing"));
		ListRequest all = ListRequest.all().pageSize(pageSize).consistentRead(true);
		ListRequest orders = ListRequest.partition("orders").pageSize(pageSize).consistentRead(true);
		return Stream.of(failure(store, all), failure(store, orders), failure(inNamespace, all));
	}

	private static LockException failure(LockStore store, ListRequest request) {
		Spliterator<List<LockRecord>> pages = store.list(request, () -> {
		}, Runnable::run);
		return catchThrowableOfType(LockException.class, () -> pages.tryAdvance((page) -> {
		}));
	}

	private static void put(TableSchema schema, AttributeValue partition, @Nullable String sort) {
		Map<String, AttributeValue> item = new HashMap<>();
		item.put(schema.partitionKeyName(), partition);
		if (schema.sortKeyName() != null) {
			item.put(schema.sortKeyName(), AttributeValue.fromS(sort));
		}
		TestDynamoDb.client().putItem((request) -> request.tableName(schema.tableName()).item(item));
	}

	private static LockTableException unfit(LockException failure, Problem problem) {
		assertThat(failure).isInstanceOf(LockTableException.class);
		assertThat(((LockTableException) failure).problem()).isEqualTo(problem);
		return (LockTableException) failure;
	}

}
