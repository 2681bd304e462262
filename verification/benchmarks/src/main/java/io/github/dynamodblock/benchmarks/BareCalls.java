/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Requests of the lock client, sent with the SDK alone.
 *
 * <p>
 * The requests are those that the lock client sent, on other keys. Each key has two, and
 * each of the two makes the other one applicable again. They are built once, so the bare
 * SDK is not even charged for building them.
 */
final class BareCalls {

	/** Of claims and releases: a quarter of the default lease. */
	private static final Duration CYCLE_LIMIT = Duration.ofSeconds(5);

	private static final int CYCLE_STEP_MILLIS = 100;

	/** Of heartbeats: a twentieth of the time for which a default lease is valid. */
	private static final Duration HEARTBEAT_LIMIT = Duration.ofMillis(980);

	private static final int HEARTBEAT_STEP_MILLIS = 20;

	private final DynamoDbClient dynamoDb;

	private final @Nullable TimeLimits limits;

	/** For each key, the two requests that take turns. */
	private final List<List<UpdateItemRequest>> requests;

	/** For each key, how many requests were sent. */
	private final int[] sent;

	private BareCalls(DynamoDbClient dynamoDb, @Nullable TimeLimits limits, List<List<UpdateItemRequest>> requests) {
		this.dynamoDb = dynamoDb;
		this.limits = limits;
		this.requests = requests;
		this.sent = new int[requests.size()];
	}

	/**
	 * Records the claim and the release of one cycle of the lock client.
	 * @param database where the table is
	 * @param dynamoDb sends the bare requests
	 * @param table the name of the lock table
	 * @param keys how many keys
	 * @param limited whether calls have the lock client's time limits, or none
	 * @return the bare requests
	 * @throws InterruptedException if this thread is interrupted
	 */
	static BareCalls ofCycles(DatabaseProcess database, DynamoDbClient dynamoDb, String table, int keys,
			boolean limited) throws InterruptedException {
		List<UpdateItemRequest> cycle = record(database, table, false);
		return limited
				? new BareCalls(dynamoDb, TimeLimits.like(cycle.get(0), CYCLE_LIMIT, CYCLE_STEP_MILLIS),
						onKeys("bare-limited-", keys, cycle))
				: new BareCalls(dynamoDb, null, onKeys("bare-", keys, cycle));
	}

	/**
	 * Records a heartbeat of the lock client, and claims keys for it. The second request
	 * of a key is the heartbeat with the old and the new version exchanged. Calls have
	 * the lock client's time limits.
	 * @param database where the table is
	 * @param dynamoDb sends the bare requests
	 * @param table the name of the lock table, in which no key was claimed before
	 * @param keys how many keys
	 * @return the bare requests
	 * @throws InterruptedException if this thread is interrupted
	 */
	static BareCalls ofHeartbeats(DatabaseProcess database, DynamoDbClient dynamoDb, String table, int keys)
			throws InterruptedException {
		List<UpdateItemRequest> sent = record(database, table, true);
		UpdateItemRequest heartbeat = sent.get(1);
		Map<String, AttributeValue> exchanged = new HashMap<>(heartbeat.expressionAttributeValues());
		exchanged.put(":expected", exchanged.put(":recordVersionNumber", exchanged.get(":expected")));
		List<UpdateItemRequest> heartbeats = List.of(heartbeat,
				heartbeat.toBuilder().expressionAttributeValues(exchanged).build());
		onKeys("bare-", keys, sent.subList(0, 1)).forEach((claim) -> dynamoDb.updateItem(claim.get(0)));
		return new BareCalls(dynamoDb, TimeLimits.like(heartbeat, HEARTBEAT_LIMIT, HEARTBEAT_STEP_MILLIS),
				onKeys("bare-", keys, heartbeats));
	}

	/** The claim, a heartbeat if there is one, and the release of a lock. */
	private static List<UpdateItemRequest> record(DatabaseProcess database, String table, boolean heartbeat)
			throws InterruptedException {
		SentUpdates sent = new SentUpdates();
		try (DynamoDbClient recorded = database.newFastClient(sent);
				LockClient locks = LockClient.builder(recorded).tableName(table).build()) {
			HeldLock lock = locks.acquire("recorded");
			if (heartbeat) {
				lock.renew();
			}
			lock.release();
		}
		return sent.requests;
	}

	private static List<List<UpdateItemRequest>> onKeys(String prefix, int keys, List<UpdateItemRequest> requests) {
		return IntStream.range(0, keys)
			.mapToObj((key) -> requests.stream().map((request) -> onKey(prefix + key, request)).toList())
			.toList();
	}

	private static UpdateItemRequest onKey(String key, UpdateItemRequest request) {
		return request.toBuilder()
			.key(Map.of("key", AttributeValue.fromS(key)))
			.overrideConfiguration(AwsRequestOverrideConfiguration.builder().build())
			.build();
	}

	/** Sends both requests of a key. */
	void cycle(int key) {
		send(key);
		send(key);
	}

	/** Sends the request of a key whose turn it is. One thread at a time for each key. */
	void send(int key) {
		List<UpdateItemRequest> turns = this.requests.get(key);
		UpdateItemRequest request = turns.get(this.sent[key]++ % turns.size());
		this.dynamoDb.updateItem((this.limits != null) ? this.limits.on(request) : request);
	}

	/**
	 * The time limits of the lock client's calls, which the SDK does not retry. They are
	 * shortened so that they end together, because each end wakes a thread of the SDK.
	 *
	 * @param longestMillis a limit that is not shortened
	 * @param shortened the limits, by the milliseconds by which they are shortened
	 */
	private record TimeLimits(long longestMillis, List<AwsRequestOverrideConfiguration> shortened) {

		static TimeLimits like(UpdateItemRequest recorded, Duration longest, int stepMillis) {
			AwsRequestOverrideConfiguration limit = recorded.overrideConfiguration().orElseThrow();
			return new TimeLimits(longest.toMillis(),
					LongStream.range(0, stepMillis)
						.mapToObj((less) -> limit.toBuilder().apiCallTimeout(longest.minusMillis(less)).build())
						.toList());
		}

		UpdateItemRequest on(UpdateItemRequest request) {
			long end = TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) + this.longestMillis;
			return request.toBuilder()
				.overrideConfiguration(this.shortened.get(Math.floorMod(end, this.shortened.size())))
				.build();
		}

	}

	private static final class SentUpdates implements ExecutionInterceptor {

		private final List<UpdateItemRequest> requests = new CopyOnWriteArrayList<>();

		@Override
		public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
			if (context.request() instanceof UpdateItemRequest update) {
				this.requests.add(update);
			}
		}

	}

}
