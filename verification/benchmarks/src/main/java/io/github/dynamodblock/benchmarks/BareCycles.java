/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import io.github.dynamodblock.LockClient;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The two requests of the lock client's cycle, sent with the SDK alone.
 *
 * <p>
 * The requests are those that the lock client sent, on another key and with another time
 * limit. They apply again and again, since the second releases what the first acquired.
 * They are built once, so the bare SDK is not even charged for building them.
 */
final class BareCycles {

	private final DynamoDbClient dynamoDb;

	/** For each worker, the two requests of a cycle. */
	private final List<List<UpdateItemRequest>> requests;

	private BareCycles(DynamoDbClient dynamoDb, List<List<UpdateItemRequest>> requests) {
		this.dynamoDb = dynamoDb;
		this.requests = requests;
	}

	/**
	 * Records the requests of one cycle of the lock client.
	 * @param database where the table is
	 * @param dynamoDb sends the bare requests
	 * @param table the name of the lock table
	 * @param workers how many workers call
	 * @param limit the time limit of each call, or {@code null} for none
	 * @return the bare requests
	 * @throws InterruptedException if this thread is interrupted
	 */
	static BareCycles record(DatabaseProcess database, DynamoDbClient dynamoDb, String table, int workers,
			@Nullable Duration limit) throws InterruptedException {
		SentUpdates sent = new SentUpdates();
		try (DynamoDbClient recorded = database.newFastClient(sent);
				LockClient locks = LockClient.builder(recorded).tableName(table).build()) {
			locks.acquire("recorded").release();
		}
		String prefix = "bare-" + limit + "-";
		return new BareCycles(dynamoDb,
				IntStream.range(0, workers).mapToObj((worker) -> sent.onKey(prefix + worker, limit)).toList());
	}

	void cycle(int worker) {
		this.requests.get(worker).forEach(this.dynamoDb::updateItem);
	}

	private static final class SentUpdates implements ExecutionInterceptor {

		private final List<UpdateItemRequest> requests = new CopyOnWriteArrayList<>();

		@Override
		public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
			if (context.request() instanceof UpdateItemRequest update) {
				this.requests.add(update);
			}
		}

		List<UpdateItemRequest> onKey(String key, @Nullable Duration limit) {
			return this.requests.stream().map((request) -> onKey(request, key, limit)).toList();
		}

		private static UpdateItemRequest onKey(UpdateItemRequest request, String key, @Nullable Duration limit) {
			return request.toBuilder()
				.key(Map.of("key", AttributeValue.fromS(key)))
				.overrideConfiguration((override) -> override.apiCallTimeout(limit))
				.build();
		}

	}

}
