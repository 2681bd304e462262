/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.LockWrite.Timestamps;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Items of a format that this version does not know, and items of this format with
 * attributes that it does not know.
 */
class LaterFormatTests {

	private static final long LIMIT = Duration.ofSeconds(20).toNanos();

	private static final LockKey KEY = LockKey.of("orders-42");

	private static final String VERSION = "v1";

	private final TableSchema schema = TestDynamoDb.newTable();

	private final LockStore store = new DynamoDbLockStore(TestDynamoDb.client(), this.schema);

	static Stream<Arguments> writes() {
		Precondition only = Precondition.only(VERSION);
		return Stream.of(arguments("a claim", claim(Precondition.FREE)),
				arguments("a takeover", claim(Precondition.FREE.orVersion(VERSION))),
				arguments("an adoption", claim(only)), arguments("a change", change()),
				arguments("a heartbeat", Writes.renew(KEY, "v2", "v0", Duration.ofSeconds(20), null)),
				arguments("a release", Writes.release(KEY, "v2", Set.of("v0"), null, false)),
				arguments("a deletion", Writes.release(KEY, "v2", Set.of("v0"), null, true)));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("writes")
	void anItemOfALaterFormatIsNotChangedBy(String what, LockWrite write) {
		for (boolean released : new boolean[] { true, false }) {
			Map<String, AttributeValue> item = itemOfFormat("2", released);
			put(item);
			assertThatItsFormatIsReported(this.store.send(new Step.Write(write, LIMIT)));
			assertThat(item()).isEqualTo(item);
		}
	}

	@Test
	void anItemOfALaterFormatIsNeitherMarkedNorRead() {
		Map<String, AttributeValue> item = itemOfFormat("2", false);
		put(item);
		assertThatItsFormatIsReported(this.store.send(new Step.Mark(KEY, "alice", LIMIT)));
		assertThatItsFormatIsReported(this.store.send(new Step.Read(KEY, true, LIMIT)));
		assertThat(item()).isEqualTo(item);
	}

	@Test
	void itsFormatIsReportedAlsoWithoutTheAttributesThatALockHasToday() {
		put(Map.of("key", AttributeValue.fromS(KEY.partition()), "leaseDuration",
				AttributeValue.fromM(Map.of("format", AttributeValue.fromN("17")))));
		assertThat(((Answer.Failed) this.store.send(new Step.Read(KEY, true, LIMIT))).failure())
			.hasMessageContaining("in format 17");
	}

	@Test
	void aWaitForALockOfALaterFormatEndsAtOnceAndAListingContinuesAfterIt() throws InterruptedException {
		put(itemOfFormat("2", false));
		List<LockTableException> skipped = new CopyOnWriteArrayList<>();
		try (LockClient client = client()) {
			client.acquire("orders-43");
			assertThatExceptionOfType(LockTableException.class)
				.isThrownBy(() -> client.acquire(LockRequest.of(KEY).waitTime(Duration.ofMinutes(5))))
				.withMessageContainingAll("orders-42", this.schema.tableName(), "in format 2",
						"upgrade this application");
			assertThat(client.list(ListRequest.all().onNotALock(skipped::add)).map(LockRecord::key))
				.containsExactly(LockKey.of("orders-43"));
			assertThat(skipped).singleElement()
				.satisfies((problem) -> assertThat(problem).hasMessageContaining("in format 2"));
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void noOperationOfAClientChangesAnItemOfALaterFormat(boolean released) throws InterruptedException {
		Map<String, AttributeValue> item = itemOfFormat("2", released);
		LockToken old = new LockToken(KEY, "bob", "v0", 6, Duration.ofSeconds(20));
		try (LockClient holder = client(); LockClient other = client()) {
			HeldLock lock = holder.acquire(KEY);
			put(item);
			assertThat(List.<ThrowingCallable>of(() -> other.tryAcquire(KEY), () -> other.adopt(old),
					() -> other.renew(old), () -> other.release(old), () -> other.forceRelease(KEY, "bob"),
					() -> other.change(KEY, ItemChange.none().attribute("note", AttributeValue.fromS("x")))))
				.allSatisfy((operation) -> assertThatExceptionOfType(LockTableException.class).isThrownBy(operation)
					.withMessageContaining("in format 2"));
			assertThat(List.<ThrowingCallable>of(lock::renew, () -> lock.transactWrite(List.of(write()))))
				.allSatisfy((operation) -> assertThatExceptionOfType(LockLostException.class).isThrownBy(operation));
			assertThat(item()).isEqualTo(item);
		}
		assertThat(item()).isEqualTo(item);
	}

	@Test
	void aHolderLosesALockThatALaterVersionTookOver() throws InterruptedException {
		List<LossReason> losses = new CopyOnWriteArrayList<>();
		try (LockClient client = client()) {
			HeldLock lock = client.acquire(LockRequest.of(KEY).listener(new LockListener() {

				@Override
				public void onLost(HeldLock lost, LossReason reason) {
					losses.add(reason);
				}

			}));
			Map<String, AttributeValue> item = itemOfFormat("2", false);
			put(item);
			await().until(() -> !losses.isEmpty());
			assertThat(losses).containsExactly(LossReason.STOLEN);
			assertThat(lock.isHeld()).isFalse();
			lock.close();
			assertThat(item()).isEqualTo(item);
		}
	}

	@Test
	void attributesThatThisVersionDoesNotKnowStayThroughEveryWrite() throws InterruptedException {
		AttributeValue unknown = AttributeValue.fromM(Map.of("next", AttributeValue.fromS("x")));
		LockRequest request = LockRequest.of(KEY);
		try (LockClient client = client(); LockClient other = client()) {
			client.acquire(request).release();
			Map<String, AttributeValue> item = new HashMap<>(item());
			item.put("ofALaterVersion", unknown);
			put(item);
			try (HeldLock lock = client.acquire(request)) {
				lock.renew();
				this.store.send(new Step.Mark(KEY, "waiting", LIMIT));
				lock.renew();
				assertThat(item()).containsEntry("ofALaterVersion", unknown);
				try (HeldLock adopted = other.adopt(lock.detach())) {
					assertThat(adopted.isHeld()).isTrue();
					assertThat(item()).containsEntry("ofALaterVersion", unknown);
				}
			}
			client.acquire(request);
			client.forceRelease(KEY, client.ownerName());
			assertThat(client.find(KEY).orElseThrow().attributes()).containsEntry("ofALaterVersion", unknown);
		}
	}

	private static LockWrite claim(Precondition precondition) {
		LockRecord wanted = LockRecord.builder(KEY, "alice", Duration.ofSeconds(20), "v2").build();
		return new LockWrite.Claim(wanted, ItemChange.none(), precondition, 1000, Timestamps.NONE, false);
	}

	private static LockWrite change() {
		return new LockWrite.Change(KEY, "v2", null, ItemChange.none().attribute("note", AttributeValue.fromS("x")));
	}

	private TransactWriteItem write() {
		return TransactWriteItem.builder()
			.put((put) -> put.tableName(this.schema.tableName()).item(Map.of("key", AttributeValue.fromS("data"))))
			.build();
	}

	private LockClient client() {
		return LockClient.builder(TestDynamoDb.client())
			.tableName(this.schema.tableName())
			.leaseDuration(Duration.ofSeconds(4))
			.build();
	}

	/** What a later version has agreed on with this one: the map, and the number. */
	private static Map<String, AttributeValue> itemOfFormat(String format, boolean released) {
		Map<String, AttributeValue> item = new HashMap<>(Map.of("key", AttributeValue.fromS(KEY.partition()),
				"ownerName", AttributeValue.fromS("bob"), "leaseDuration",
				AttributeValue
					.fromM(Map.of("format", AttributeValue.fromN(format), "millis", AttributeValue.fromN("20000"))),
				"recordVersionNumber", AttributeValue.fromS(VERSION), "fencingToken", AttributeValue.fromN("7")));
		if (released) {
			item.put("isReleased", AttributeValue.fromS("1"));
		}
		return item;
	}

	private void assertThatItsFormatIsReported(Answer answer) {
		assertThat(answer).isInstanceOf(Answer.Failed.class);
		assertThat(((Answer.Failed) answer).failure())
			.isInstanceOfSatisfying(LockTableException.class,
					(failure) -> assertThat(failure.problem()).isEqualTo(LockTableException.Problem.NOT_A_LOCK))
			.hasMessage("A newer version wrote the item 'orders-42' of table '" + this.schema.tableName()
					+ "', in format 2, which this version does not know. The item was not changed; upgrade this "
					+ "application");
	}

	private void put(Map<String, AttributeValue> item) {
		TestDynamoDb.client().putItem((request) -> request.tableName(this.schema.tableName()).item(item));
	}

	private Map<String, AttributeValue> item() {
		return TestDynamoDb.client()
			.getItem((request) -> request.tableName(this.schema.tableName())
				.key(Map.of("key", AttributeValue.fromS(KEY.partition())))
				.consistentRead(true))
			.item();
	}

}
