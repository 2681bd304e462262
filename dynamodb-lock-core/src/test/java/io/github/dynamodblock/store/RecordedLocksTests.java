/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.recorded.RecordedItems;
import io.github.dynamodblock.recorded.RecordedItems.RecordedItem;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Items that this and earlier versions wrote.
 * {@code -Drecorded.write=VERSION -Dtest='RecordedLocksTests#eachKind*'} records those of
 * a new version.
 */
class RecordedLocksTests {

	private static final AttributeValue RELEASED = AttributeValue.fromS("1");

	private static final String OF_THE_AWS_CLIENT = "-by-aws-client";

	@ParameterizedTest
	@EnumSource
	void eachKindIsWrittenAsItIsRecorded(RecordedLocks kind) throws Exception {
		RecordedItems.compare(kind.kind(), kind.write());
	}

	@Test
	void everyAttributeOfALockIsInARecordedItem() throws IOException {
		Set<String> recorded = new HashSet<>();
		RecordedItems.newest().forEach((each) -> recorded.addAll(each.item().keySet()));
		assertThat(recorded).containsAll(LockItem.ownAttributes(schema(false))).contains("sort");
	}

	static List<RecordedItem> recordedItems() throws IOException {
		return RecordedItems.all();
	}

	@ParameterizedTest
	@MethodSource("recordedItems")
	void aRecordedItemIsRead(RecordedItem recorded) {
		Map<String, AttributeValue> item = recorded.item();
		try (LockClient client = put(item).build()) {
			LockRecord found = client.find(key(item)).orElseThrow();
			assertThat(found.ownerName()).isEqualTo(text(item, "ownerName"));
			assertThat(found.leaseDuration()).hasMillis(Long.parseLong(text(item, "leaseDuration")));
			assertThat(found.recordVersionNumber()).isEqualTo(text(item, "recordVersionNumber"));
			assertThat(found.isReleased()).isEqualTo(RELEASED.equals(item.get("isReleased")));
			assertThat(found.fencingToken().isPresent()).isEqualTo(hasToken(recorded));
			assertThat(found.fencingToken().orElse(0)).isEqualTo(token(item));
			assertThat(found.name()).isEqualTo(Optional.ofNullable(item.get("requestName")).map(AttributeValue::s));
			assertThat(found.acquiredAt().isPresent()).isEqualTo(item.containsKey("acquiredAt"));
			assertThat(found.renewedAt().isPresent()).isEqualTo(item.containsKey("renewedAt"));
			assertThat(found.leaseEnds().isPresent()).isEqualTo(item.containsKey("leaseEnds"));
			assertThat(found.data().isPresent()).isEqualTo(item.containsKey("data"));
			assertThat(found.attributes().keySet()).isEqualTo(ofTheApplication(item).keySet());
			assertThat(client.list()).hasSize(1);
		}
	}

	static List<RecordedItem> releasedItems() throws IOException {
		return RecordedItems.all().stream().filter((each) -> isReleased(each.item())).toList();
	}

	@ParameterizedTest
	@MethodSource("releasedItems")
	void aRecordedReleasedLockIsAcquiredAtOnceAndReleased(RecordedItem recorded) throws InterruptedException {
		Map<String, AttributeValue> item = recorded.item();
		try (LockClient client = put(item).build()) {
			assertThatItContinues(recorded, client, client.tryAcquire(key(item)).orElseThrow());
		}
	}

	static List<RecordedItem> heldItems() throws IOException {
		return RecordedItems.all().stream().filter((each) -> !isReleased(each.item())).toList();
	}

	@Test
	void aRecordedHeldLockIsAcquiredAfterItsLeaseAndReleased() throws Exception {
		List<RecordedItem> held = heldItems();
		assertThat(held).isNotEmpty();
		Map<RecordedItem, LockClient> clients = new LinkedHashMap<>();
		Map<RecordedItem, CompletableFuture<HeldLock>> waiting = new LinkedHashMap<>();
		try {
			for (RecordedItem recorded : held) {
				LockClient client = put(recorded.item()).build();
				clients.put(recorded, client);
				LockKey key = key(recorded.item());
				assertThat(client.tryAcquire(key)).as(recorded.toString()).isEmpty();
				waiting.put(recorded, client.acquireAsync(LockRequest.of(key).waitTime(Duration.ofMinutes(1))));
			}
			for (RecordedItem recorded : held) {
				HeldLock lock = Objects.requireNonNull(waiting.get(recorded)).get(1, TimeUnit.MINUTES);
				Duration lease = Duration.ofMillis(Long.parseLong(text(recorded.item(), "leaseDuration")));
				// It was read first before the wait began.
				assertThat(lock.acquisitionTime()).as(recorded.toString()).isGreaterThan(lease.dividedBy(2));
				assertThatItContinues(recorded, Objects.requireNonNull(clients.get(recorded)), lock);
			}
		}
		finally {
			clients.values().forEach(LockClient::close);
		}
	}

	@Test
	void aRecordedEndOfALeaseIsTrustedByClientsWithTheClockBoundOnly() throws IOException {
		List<RecordedItem> bound = heldItems().stream().filter((each) -> each.item().containsKey("leaseEnds")).toList();
		assertThat(bound).isNotEmpty();
		RecordedItems.forEach(bound, (recorded) -> {
			LockRequest request = LockRequest.of(key(recorded.item())).waitTime(Duration.ZERO);
			try (LockClient client = put(recorded.item()).clockSkewBound(RecordedLocks.Table.CLOCK_BOUND).build();
					HeldLock lock = client.acquireUninterruptibly(request)) {
				assertThat(lock.fencingToken()).isGreaterThan(token(recorded.item()));
			}
		});
	}

	@Test
	void aRecordedLockIsAdoptedAtOnceByItsToken() throws IOException {
		List<RecordedItem> detached = heldItems().stream().filter((each) -> each.kind().equals("detached")).toList();
		assertThat(detached).isNotEmpty();
		RecordedItems.forEach(detached, (recorded) -> {
			Map<String, AttributeValue> item = recorded.item();
			// The text of a token has a separate version number; LockTokenTests covers
			// it.
			LockToken token = new LockToken(key(item), text(item, "ownerName"), text(item, "recordVersionNumber"),
					token(item), RecordedLocks.Table.LEASE);
			try (LockClient client = put(item).build()) {
				LockToken renewed = client.renew(token);
				assertThat(renewed.fencingToken()).isEqualTo(token.fencingToken());
				try (HeldLock lock = client.adopt(renewed)) {
					assertThat(lock.fencingToken()).isGreaterThan(token.fencingToken());
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}
		});
	}

	@Test
	void aRecordedKeptItemIsNeitherDeletedNorGivenATimeToLive() throws IOException {
		List<RecordedItem> kept = releasedItems().stream().filter((each) -> each.item().containsKey("keep")).toList();
		assertThat(kept).isNotEmpty();
		RecordedItems.forEach(kept, (recorded) -> {
			LockKey key = key(recorded.item());
			LockClientBuilder builder = put(recorded.item());
			String table;
			try (LockClient client = builder.build()) {
				table = client.tableName();
				client.acquireUninterruptibly(LockRequest.of(key).deleteOnRelease(true)).release();
				assertThat(client.find(key)).isPresent();
				client.acquireUninterruptibly(LockRequest.of(key)).release();
			}
			AttributeValue expiry = TestDynamoDb.client()
				.getItem((request) -> request.tableName(table)
					.key(Map.of("key", AttributeValue.fromS(key.partition())))
					.consistentRead(true))
				.item()
				.get("expiresAt");
			// DynamoDB ignores a time to live that is not a number.
			assertThat(Optional.ofNullable(expiry).map(AttributeValue::n)).isEmpty();
		});
	}

	private static void assertThatItContinues(RecordedItem recorded, LockClient client, HeldLock lock) {
		Map<String, AttributeValue> item = recorded.item();
		// Those of the block that the item shows belong to holders before.
		long last = hasToken(recorded) ? token(item) + LockWrite.Claim.TOKENS - 1 : 0;
		assertThat(lock.fencingToken()).as(recorded.toString()).isGreaterThan(last);
		lock.ensureHeld();
		lock.close();
		LockRecord released = client.find(key(item)).orElseThrow();
		assertThat(released.isReleased()).as(recorded.toString()).isTrue();
		assertThat(released.ownerName()).isEqualTo(client.ownerName());
		assertThat(released.attributes()).isEqualTo(ofTheApplication(item));
	}

	private static boolean isReleased(Map<String, AttributeValue> item) {
		return RELEASED.equals(item.get("isReleased"));
	}

	/** An item that was created by a change has no token either. */
	private static boolean hasToken(RecordedItem recorded) {
		return !recorded.kind().endsWith(OF_THE_AWS_CLIENT) && !recorded.kind().startsWith("created");
	}

	private static long token(Map<String, AttributeValue> item) {
		return item.containsKey("fencingToken") ? Long.parseLong(item.get("fencingToken").n()) : 0;
	}

	private static Map<String, AttributeValue> ofTheApplication(Map<String, AttributeValue> item) {
		Map<String, AttributeValue> attributes = new LinkedHashMap<>(item);
		attributes.keySet().removeAll(LockItem.ownAttributes(schema(true)));
		return attributes;
	}

	private static String text(Map<String, AttributeValue> item, String name) {
		return Objects.requireNonNull(Objects.requireNonNull(item.get(name)).s());
	}

	private static LockKey key(Map<String, AttributeValue> item) {
		return item.containsKey("sort") ? LockKey.of(text(item, "key"), text(item, "sort"))
				: LockKey.of(text(item, "key"));
	}

	private static TableSchema schema(boolean sorted) {
		return new TableSchema("locks", "key", sorted ? "sort" : null, "fencingToken", "expiresAt");
	}

	/** A client of a new table with the item. */
	private static LockClientBuilder put(Map<String, AttributeValue> item) {
		TableSchema schema = item.containsKey("sort") ? TestDynamoDb.newTable("sort") : TestDynamoDb.newTable();
		TestDynamoDb.client().putItem((request) -> request.tableName(schema.tableName()).item(item));
		return LockClient.builder(TestDynamoDb.client())
			.tableName(schema.tableName())
			.sortKeyName(schema.sortKeyName())
			.leaseDuration(RecordedLocks.Table.LEASE);
	}

}
