/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is sent for a page, and what it costs.
 */
class ListingCallsTests {

	private static final long LIMIT = Duration.ofSeconds(20).toNanos();

	private final CallRecorder recorder = new CallRecorder();

	private final TableSchema schema = TestDynamoDb.newTable();

	private final DynamoDbClient client = TestDynamoDb.newClient(this.recorder);

	private final LockStore store = new DynamoDbLockStore(this.client, this.schema);

	@AfterEach
	void closeClient() {
		this.client.close();
	}

	@Test
	void aPageOfAllLocksIsOneScanOfItsSize() {
		list(this.store, null, false, 7);
		assertThat(this.recorder.calls()).singleElement()
			.satisfies((call) -> assertThat(call.request()).isInstanceOfSatisfying(ScanRequest.class, (scan) -> {
				assertThat(scan.limit()).isEqualTo(7);
				assertThat(scan.filterExpression()).isNull();
			}));
	}

	@Test
	void aPageOfAPartitionIsOneQueryOfItsSize() {
		list(this.store, "orders", false, 7);
		assertThat(this.recorder.calls()).singleElement()
			.satisfies((call) -> assertThat(call.request()).isInstanceOfSatisfying(QueryRequest.class,
					(query) -> assertThat(query.limit()).isEqualTo(7)));
	}

	@Test
	void onlyAConsistentPagePaysForIt() {
		claim("orders");
		this.recorder.clear();
		for (String partition : new String[] { null, "orders" }) {
			list(this.store, partition, false, 100);
			list(this.store, partition, true, 100);
		}
		assertThat(this.recorder.operations()).containsExactly("Scan", "Scan", "Query", "Query");
		assertThat(this.recorder.calls()).extracting((call) -> call.consumedUnits().orElseThrow())
			.containsExactly(0.5, 1.0, 0.5, 1.0);
	}

	@Test
	void twentyLocksWithoutDataCostAsMuchAsOne() {
		for (int i = 0; i < 20; i++) {
			claim("orders-" + i);
		}
		this.recorder.clear();
		list(this.store, null, false, 100);
		assertThat(this.recorder.calls()).extracting((call) -> call.consumedUnits().orElseThrow()).containsExactly(0.5);
	}

	@Test
	void aFilteredListingPaysForTheItemsOfOthersToo() {
		LockStore elsewhere = new DynamoDbLockStore(this.client, TestDynamoDb.inNamespace(this.schema, "elsewhere"));
		for (int i = 0; i < 40; i++) {
			claim("orders-" + i);
		}
		this.recorder.clear();
		assertThat(list(elsewhere, null, false, 100)).isEmpty();
		assertThat(this.recorder.calls()).singleElement()
			.satisfies((call) -> assertThat(call.consumedUnits().orElseThrow()).isGreaterThan(0.5));
	}

	@Test
	void everyPageHasItsOwnTimeLimit() {
		claim("orders");
		this.recorder.clear();
		for (ListRequest request : List.of(ListRequest.all(), ListRequest.partition("others"))) {
			this.store.list(request.pageSize(1), () -> {
			}, Runnable::run).forEachRemaining((page) -> assertThat(page).hasSizeLessThanOrEqualTo(1));
		}
		assertThat(this.recorder.operations()).containsExactly("Scan", "Scan", "Query");
		assertThat(this.recorder.calls()).allSatisfy((call) -> assertThat(call.request().overrideConfiguration())
			.hasValueSatisfying((override) -> assertThat(override.apiCallTimeout().orElseThrow())
				.isBetween(Duration.ofMillis(4900), Duration.ofSeconds(5))));
	}

	@Test
	void aThrottledPageIsRepeatedBehindTheScenes() {
		AtomicInteger attempts = new AtomicInteger();
		ExecutionInterceptor throttledTwice = new ExecutionInterceptor() {
			@Override
			public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context,
					ExecutionAttributes attributes) {
				SdkHttpResponse response = context.httpResponse();
				return (attempts.incrementAndGet() <= 2) ? response.toBuilder().statusCode(429).build() : response;
			}
		};
		claim("orders");
		try (DynamoDbClient throttled = TestDynamoDb.newClient((builder) -> builder
			.overrideConfiguration((override) -> override.addExecutionInterceptor(throttledTwice)))) {
			LockStore throttledStore = new DynamoDbLockStore(throttled, this.schema);
			assertThat(list(throttledStore, null, true, 100)).extracting(LockRecord::key)
				.isEqualTo(List.of(LockKey.of("orders")));
		}
		assertThat(attempts).hasValue(3);
	}

	private static List<LockRecord> list(LockStore store, @Nullable String partition, boolean consistent, int size) {
		ListRequest request = (partition == null) ? ListRequest.all() : ListRequest.partition(partition);
		List<LockRecord> page = new ArrayList<>();
		store.list(request.pageSize(size).consistentRead(consistent), () -> {
		}, Runnable::run).tryAdvance(page::addAll);
		return page;
	}

	/** As a client's claim would, with everything that a lock without data has. */
	private void claim(String key) {
		String owner = "host-1-00000000-0000-0000-0000-000000000000";
		LockRecord wanted = LockRecord
			.builder(LockKey.of(key), owner, Duration.ofSeconds(20), "00000000-0000-0000-0000-000000000000")
			.acquiredAt(Instant.ofEpochMilli(1_700_000_000_123L))
			.build();
		this.store.send(new Step.Write(
				Writes.claim(wanted, 1_700_000_000_000_000L, Instant.ofEpochSecond(1_800_000_000), null), LIMIT));
	}

}
