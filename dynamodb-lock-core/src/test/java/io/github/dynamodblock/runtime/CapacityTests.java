/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.store.SimulatedTable;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Counts what {@code docs/capacity.md} tells people to plan with.
 */
class CapacityTests extends VirtualTimeTest {

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| (\\d+) s \\| ([\\d.]+) s \\| ([\\d,]+) \\| ([\\d,]+) \\|$");

	private static final int HOURS_OF_30_DAYS = 30 * 24;

	CapacityTests() {
		super(new SimulatedTable());
	}

	static Stream<HeldLockRow> heldLocks() {
		return ROW.matcher(page())
			.results()
			.map((row) -> new HeldLockRow(seconds(row.group(1)), seconds(row.group(2)), number(row.group(3)),
					number(row.group(4))));
	}

	@ParameterizedTest
	@MethodSource("heldLocks")
	void aHeldLockCostsOneWriteInEachHeartbeatPeriod(HeldLockRow row) {
		assertThat(row.heartbeat()).as("a quarter of the lease").isEqualTo(row.lease().dividedBy(4));
		assertThat(row.inThirtyDays()).isEqualTo(row.inAnHour() * HOURS_OF_30_DAYS);
		one().start(LockRequest.of("k").leaseDuration(row.lease()).heartbeatPeriod(row.heartbeat()));
		time().pass(row.lease());
		int before = one().environment().written();
		time().pass(Duration.ofHours(1));
		long most = row.inAnHour() * (100 + (long) saidOf("Add up to (\\d+) %")) / 100;
		assertThat((long) one().environment().written() - before).isBetween(row.inAnHour(), most);
		assertThat(one().environment().sent()).as("no reads").isEqualTo(one().environment().written());
	}

	@Test
	void allRowsOfThePageAreCounted() {
		assertThat(heldLocks()).hasSize(4);
	}

	@Test
	void waitersLookNoMoreOftenThanThePageSays() {
		one().start(LockRequest.of("k").leaseDuration(Duration.ofSeconds(20)).heartbeatPeriod(Duration.ofSeconds(5)));
		two().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		int atFirst = two().environment().sent();
		time().pass(Duration.ofSeconds(1));
		assertThat((two().environment().sent() - atFirst) / 2.0)
			.isLessThanOrEqualTo(saidOf("in the first second \\| (\\d+) \\|"));
		int young = two().environment().sent();
		time().pass(Duration.ofSeconds(8));
		assertThat((two().environment().sent() - young) / 2.0 / 8)
			.isLessThanOrEqualTo(saidOf("in the next eight seconds \\| (\\d+) \\|"));
		int before = two().environment().sent();
		time().pass(Duration.ofMinutes(2));
		double unitsASecond = (two().environment().sent() - before) / 2.0 / Duration.ofMinutes(2).toSeconds();
		assertThat(unitsASecond).isBetween(1.0, saidOf("with the default lease \\| ([\\d.]+) \\|"));
	}

	@Test
	void anAcquisitionAndItsReleaseCostTwoUnitsAndNoRead() throws InterruptedException {
		CallRecorder recorder = new CallRecorder();
		try (DynamoDbClient dynamoDb = TestDynamoDb.newClient(recorder); LockClient client = client(dynamoDb)) {
			client.acquire("order-4711").release();
		}
		assertThat(recorder.operations()).containsExactly("UpdateItem", "UpdateItem");
		assertThat(units(recorder)).isEqualTo(2);
	}

	@Test
	void dataOfTheApplicationCountsAtEveryWrite() throws InterruptedException {
		CallRecorder recorder = new CallRecorder();
		try (DynamoDbClient dynamoDb = TestDynamoDb.newClient(recorder);
				LockClient client = client(dynamoDb);
				HeldLock lock = client.acquire(LockRequest.of("order-4711").data(new byte[2 * 1024]))) {
			recorder.clear();
			lock.renew();
			assertThat(units(recorder)).isEqualTo(3);
		}
	}

	@Test
	void aGuardedWriteCostsTwiceTheUnitsOfItsItemsAndTwoForTheCondition() throws InterruptedException {
		String orders = TestDynamoDb.newTable().tableName();
		CallRecorder recorder = new CallRecorder();
		try (DynamoDbClient dynamoDb = TestDynamoDb.newClient(recorder);
				LockClient client = client(dynamoDb);
				HeldLock lock = client.acquire(LockRequest.of("order-4711").automaticRenewal(false))) {
			recorder.clear();
			TransactWriteItemsResponse response = lock.transactWrite(TransactWriteItemsRequest.builder()
				.transactItems(
						TransactWriteItem.builder().put((put) -> put.tableName(orders).item(order("small", 1))).build(),
						TransactWriteItem.builder()
							.put((put) -> put.tableName(orders).item(order("larger", 2500)))
							.build())
				.returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
				.build());
			assertThat(recorder.operations()).containsExactly("TransactWriteItems");
			assertThat(response.consumedCapacity()
				.stream()
				.collect(Collectors.toMap((units) -> units.tableName().equals(orders),
						(units) -> units.capacityUnits())))
				.isEqualTo(Map.of(true, 2.0 * (1 + 3), false, saidOf("\\| 1 \\| (\\d+) WCU for the condition")));
			recorder.clear();
			lock.renew();
			assertThat(units(recorder)).as("a heartbeat").isEqualTo(1);
		}
	}

	@Test
	void aWriteThatChecksTheStoredTokenCostsTheUnitsOfItsItem() throws InterruptedException {
		String orders = TestDynamoDb.newTable().tableName();
		CallRecorder recorder = new CallRecorder();
		try (DynamoDbClient dynamoDb = TestDynamoDb.newClient(recorder);
				LockClient client = client(dynamoDb);
				HeldLock lock = client.acquire(LockRequest.of("order-4711").automaticRenewal(false))) {
			recorder.clear();
			dynamoDb.updateItem((update) -> update.tableName(orders)
				.key(Map.of("key", AttributeValue.fromS("small")))
				.updateExpression("SET lockToken = :mine")
				.conditionExpression("attribute_not_exists(lockToken) OR lockToken <= :mine")
				.expressionAttributeValues(Map.of(":mine", AttributeValue.fromN(Long.toString(lock.fencingToken())))));
			assertThat(units(recorder)).isEqualTo(1);
		}
	}

	private static Map<String, AttributeValue> order(String key, int bytes) {
		return Map.of("key", AttributeValue.fromS(key), "lines", AttributeValue.fromS("x".repeat(bytes)));
	}

	@Test
	void anItemTakesAboutAsMuchAsThePageSays() throws InterruptedException {
		TableSchema table = TestDynamoDb.newTable();
		try (LockClient client = LockClient.builder(TestDynamoDb.client())
			.tableName(table.tableName())
			.ownerName("orders-7f9c6d5b84-x2x1z")
			.build(); HeldLock lock = client.acquire("k")) {
			Map<String, AttributeValue> item = TestDynamoDb.client()
				.getItem((get) -> get.tableName(table.tableName()).key(Map.of("key", AttributeValue.fromS("k"))))
				.item();
			int bytes = item.entrySet()
				.stream()
				.mapToInt((each) -> each.getKey().length() + size(each.getValue()))
				.sum();
			assertThat(bytes).isCloseTo((int) saidOf("takes about (\\d+) bytes"), within(50));
			assertThat(lock.isHeld()).isTrue();
		}
	}

	private static LockClient client(DynamoDbClient dynamoDb) {
		return LockClient.builder(dynamoDb).tableName(TestDynamoDb.newTable().tableName()).build();
	}

	private static double units(CallRecorder recorder) {
		return recorder.calls().stream().mapToDouble((call) -> call.consumedUnits().orElseThrow()).sum();
	}

	/** By DynamoDB's rules a number takes a byte for two digits, and one more. */
	private static int size(AttributeValue value) {
		return (value.s() != null) ? value.s().length() : value.n().length() / 2 + 1;
	}

	private static double saidOf(String pattern) {
		return Pattern.compile(pattern)
			.matcher(page())
			.results()
			.mapToDouble((found) -> Double.parseDouble(found.group(1)))
			.findFirst()
			.orElseThrow();
	}

	private static Duration seconds(String seconds) {
		return Duration.ofMillis((long) (Double.parseDouble(seconds) * 1000));
	}

	private static long number(String digits) {
		return Long.parseLong(digits.replace(",", ""));
	}

	private static String page() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("mvnw"))) {
			directory = Objects.requireNonNull(directory.getParent(), "The tests run outside the repository");
		}
		try {
			return Files.readString(directory.resolve("docs/capacity.md"));
		}
		catch (IOException ex) {
			throw new IllegalStateException("docs/capacity.md cannot be read", ex);
		}
	}

	private record HeldLockRow(Duration lease, Duration heartbeat, long inAnHour, long inThirtyDays) {
	}

}
