/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.dynamodblock.server.ServiceInstance;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a table with more items than are read at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
class LargeTableTests {

	private static final String TABLE = "large-table";

	private static final int BATCH = 25;

	/**
	 * Wherever the items of the crowd are in the table, some of these are behind them.
	 */
	private static final List<String> NAMESPACES = List.of("one", "two", "three", "four", "five", "six");

	@Test
	void aNamespaceIsShownInFullThoughAnotherClientWatchesAll() {
		try (ServiceInstance service = ServiceInstance.start("authentication.disabled=true",
				"dynamodb-lock.table.name=" + TABLE, "lock-server.page.refresh=100ms")) {
			NAMESPACES.forEach((namespace) -> service.calls().acquire(namespace, "a-lock", "an-instance", 600));
			service.calls().acquire("crowd", "a-lock", "an-instance", 600);
			fill(ServiceInstance.dynamoDb().client());

			try (EventStream all = EventStream.open(service.port(), null)) {
				Awaitility.await().until(() -> !all.events().isEmpty());
				assertThat(all.latest().data().path("complete").asBoolean()).isFalse();
				for (String namespace : NAMESPACES) {
					try (EventStream stream = EventStream.open(service.port(), namespace)) {
						Awaitility.await().until(() -> !stream.events().isEmpty());
						assertThat(stream.lockNames()).as(namespace).containsExactly("a-lock");
						assertThat(stream.latest().data().path("complete").asBoolean()).isTrue();
					}
				}
			}
		}
	}

	/** Copies the lock of the crowd until there are more than are read. */
	private static void fill(DynamoDbClient client) {
		Map<String, AttributeValue> lock = client
			.getItem((get) -> get.tableName(TABLE)
				.key(Map.of("namespace", AttributeValue.fromS("crowd"), "lockName", AttributeValue.fromS("a-lock"))))
			.item();
		for (int start = 0; start < LockTable.MOST_ITEMS; start += BATCH) {
			List<WriteRequest> batch = IntStream.range(start, start + BATCH)
				.mapToObj((number) -> WriteRequest.builder().putRequest((put) -> put.item(copy(lock, number))).build())
				.toList();
			client.batchWriteItem((write) -> write.requestItems(Map.of(TABLE, batch)));
		}
	}

	private static Map<String, AttributeValue> copy(Map<String, AttributeValue> lock, int number) {
		Map<String, AttributeValue> copy = new HashMap<>(lock);
		copy.put("lockName", AttributeValue.fromS("lock-" + number));
		return copy;
	}

}
