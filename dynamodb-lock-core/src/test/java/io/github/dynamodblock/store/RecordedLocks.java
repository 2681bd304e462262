/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.awaitility.Awaitility.await;

/**
 * The kinds of items that lock clients write, each by a short run on a real table.
 */
@SuppressWarnings("ImmutableEnumChecker") // the runs are lambdas without state
enum RecordedLocks {

	HELD((table) -> table.held(table.request())),

	RENEWED((table) -> {
		HeldLock lock = table.client().acquire(table.request());
		lock.renew();
		return table.item();
	}),

	RELEASED((table) -> {
		table.client().acquire(table.request()).release();
		return table.item();
	}),

	HELD_WITHOUT_TIME_TO_LIVE((table) -> {
		table.configure((builder) -> builder.timeToLive(null));
		return table.held(table.plain());
	}),

	RELEASED_WITHOUT_TIME_TO_LIVE((table) -> {
		table.configure((builder) -> builder.timeToLive(null));
		table.client().acquire(table.plain()).release();
		return table.item();
	}),

	/** A process of an application with the clock bound. */
	HELD_WITH_CLOCK_BOUND((table) -> {
		table.configure((builder) -> builder.clockSkewBound(Table.CLOCK_BOUND));
		return table.held(table.plain());
	}),

	HELD_AND_WANTED((table) -> {
		table.client().acquire(table.plain());
		CompletableFuture<HeldLock> waiting = table.otherClient().acquireAsync(table.plain());
		await().until(() -> table.item().containsKey(LockItem.WANTED_BY));
		Map<String, AttributeValue> item = table.item();
		waiting.cancel(false);
		return item;
	}),

	/** The item shows the token of the client's first holder. */
	HANDED_ON((table) -> {
		HeldLock first = table.client().acquire(table.plain());
		CompletableFuture<HeldLock> next = table.client().acquireAsync(table.plain());
		await().until(() -> !table.client().waiting().isEmpty());
		first.renew();
		first.release();
		if (next.get(10, TimeUnit.SECONDS).fencingToken() != first.fencingToken() + 1) {
			throw new IllegalStateException("The lock was not handed on");
		}
		return table.item();
	}),

	DETACHED((table) -> {
		table.client().acquire(table.plain()).detach();
		return table.item();
	}),

	ADOPTED((table) -> {
		table.otherClient().adopt(table.client().acquire(table.plain()).detach());
		return table.item();
	}),

	/** Until {@code holdAtLeast} is over, after its client has closed. */
	RETAINED((table) -> {
		table.client().acquire(table.plain().holdAtLeast(Table.LEASE.multipliedBy(3).dividedBy(4))).release();
		table.client().close();
		return table.item();
	}),

	HELD_AND_KEPT((table) -> table.held(table.plain().keptItem(KeptItem.create()))),

	RELEASED_AND_KEPT((table) -> {
		table.client().acquire(table.plain().keptItem(KeptItem.create())).release();
		return table.item();
	}),

	/** By a change without the lock. */
	CREATED_AND_KEPT((table) -> {
		table.client().change(LockKey.of(Table.KEY), note());
		return table.item();
	}),

	FIRST_SLOT((table) -> {
		table.client().acquire(table.plain().permits(2));
		table.client().acquire(table.plain().permits(2));
		return table.item(Table.KEY + "#0", null);
	}),

	LAST_SLOT((table) -> {
		table.client().acquire(table.plain().permits(2));
		table.client().acquire(table.plain().permits(2));
		return table.item(Table.KEY + "#1", null);
	}),

	HELD_WITH_SORT_KEY((table) -> {
		table.client().acquire(LockRequest.of(Table.KEY, "eu"));
		return table.item(Table.KEY, "eu");
	}),

	RELEASED_WITH_SORT_KEY((table) -> {
		table.client().acquire(LockRequest.of(Table.KEY, "eu")).release();
		return table.item(Table.KEY, "eu");
	}),

	/** By the AWS lock client 1.4.0. */
	HELD_BY_AWS_CLIENT((table) -> {
		try (AmazonDynamoDBLockClient client = table.awsClient()) {
			client.acquireLock(AcquireLockOptions.builder(Table.KEY).withData(data()).build());
			return table.item();
		}
	}),

	/** By the AWS lock client 1.4.0. */
	RELEASED_BY_AWS_CLIENT((table) -> {
		try (AmazonDynamoDBLockClient client = table.awsClient()) {
			client
				.acquireLock(
						AcquireLockOptions.builder(Table.KEY).withData(data()).withDeleteLockOnRelease(false).build())
				.close();
			return table.item();
		}
	});

	private final Recording recording;

	RecordedLocks(Recording recording) {
		this.recording = recording;
	}

	/** The name of its file. */
	String kind() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	boolean hasSortKey() {
		return name().endsWith("SORT_KEY");
	}

	/** Writes such an item. */
	Map<String, AttributeValue> write() throws Exception {
		TableSchema schema = hasSortKey() ? TestDynamoDb.newTable("sort") : TestDynamoDb.newTable();
		try (Table table = new Table(schema)) {
			return this.recording.record(table);
		}
	}

	private static ItemChange note() {
		return ItemChange.none().attribute("note", AttributeValue.fromS("of the application"));
	}

	private static ByteBuffer data() {
		return ByteBuffer.wrap("data".getBytes(StandardCharsets.UTF_8));
	}

	@FunctionalInterface
	private interface Recording {

		Map<String, AttributeValue> record(Table table) throws Exception;

	}

	/** A table with two clients, which end without releasing their locks. */
	static final class Table implements AutoCloseable {

		static final String KEY = "orders-42";

		/**
		 * Long enough for a machine that stalls; short where items are recorded, since
		 * the tests that read them wait for it.
		 */
		static final Duration LEASE = Duration.ofSeconds((System.getProperty("recorded.write") == null) ? 20 : 2);

		static final Duration CLOCK_BOUND = Duration.ofMillis(500);

		private final TableSchema schema;

		private @Nullable LockClient client;

		private @Nullable LockClient otherClient;

		Table(TableSchema schema) {
			this.schema = schema;
		}

		void configure(UnaryOperator<LockClientBuilder> options) {
			this.client = options.apply(builder("alice")).build();
		}

		LockClient client() {
			if (this.client == null) {
				this.client = builder("alice").build();
			}
			return this.client;
		}

		LockClient otherClient() {
			if (this.otherClient == null) {
				this.otherClient = builder("bob").build();
			}
			return this.otherClient;
		}

		private LockClientBuilder builder(String owner) {
			return LockClient.builder(TestDynamoDb.client())
				.tableName(this.schema.tableName())
				.sortKeyName(this.schema.sortKeyName())
				.ownerName(owner)
				.leaseDuration(LEASE);
		}

		AmazonDynamoDBLockClient awsClient() {
			return new AmazonDynamoDBLockClient(
					AmazonDynamoDBLockClientOptions.builder(TestDynamoDb.client(), this.schema.tableName())
						.withOwnerName("aws")
						.withTimeUnit(TimeUnit.MILLISECONDS)
						.withLeaseDuration(LEASE.toMillis())
						.withHeartbeatPeriod(500L)
						.withCreateHeartbeatBackgroundThread(false)
						.build());
		}

		LockRequest plain() {
			return LockRequest.of(KEY).waitTime(Duration.ofSeconds(10));
		}

		LockRequest request() {
			return plain().name("orders").change(note().data(data().array()));
		}

		Map<String, AttributeValue> held(LockRequest request) throws InterruptedException {
			client().acquire(request);
			return item();
		}

		Map<String, AttributeValue> item() {
			return item(KEY, null);
		}

		Map<String, AttributeValue> item(String key, @Nullable String sort) {
			Map<String, AttributeValue> keys = new HashMap<>(
					Map.of(this.schema.partitionKeyName(), AttributeValue.fromS(key)));
			Optional.ofNullable(sort)
				.ifPresent((part) -> keys.put(Objects.requireNonNull(this.schema.sortKeyName()),
						AttributeValue.fromS(part)));
			return TestDynamoDb.client()
				.getItem((request) -> request.tableName(this.schema.tableName()).key(keys).consistentRead(true))
				.item();
		}

		@Override
		public void close() {
			Optional.ofNullable(this.client).ifPresent(LockClient::closeWithoutReleasing);
			Optional.ofNullable(this.otherClient).ifPresent(LockClient::closeWithoutReleasing);
		}

	}

}
