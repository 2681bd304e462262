/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every lock store does with a transaction that commits only if a lock is held.
 */
class GuardedWriteStoreTests {

	/** DynamoDB Local, with names that expressions cannot hold as they are. */
	@Nested
	class OnDynamoDbLocal extends OnDynamoDb {

		OnDynamoDbLocal() {
			super(TestDynamoDb.client(), TestDynamoDb.create(
					new TableSchema(TestDynamoDb.newTableName(), "the.key", null, "the-token", "the_token", "billing")),
					TestDynamoDb.newTable().tableName());
		}

	}

	/** The tables in memory that tests of applications use. */
	@Nested
	class InMemory extends OnDynamoDb {

		InMemory() {
			super(new InMemoryDynamoDb());
		}

	}

	/** The table of the simulation. */
	@Nested
	class InTheSimulatedTable extends Contract {

		private final SimulatedTable table = new SimulatedTable();

		private int written;

		@Override
		LockStore store() {
			return this.table;
		}

		@Override
		void putForeignItem(LockKey key) {
			this.table.putForeignItem(key);
		}

		@Override
		Object transaction(boolean conditionHolds) {
			return new SimulatedTransaction(UUID.randomUUID().toString(), () -> conditionHolds, () -> this.written++);
		}

		@Override
		int written() {
			return this.written;
		}

	}

	/** Another write was in its way, or a limit. */
	@Nested
	class Cancelled {

		private final FaultyCalls faults = new FaultyCalls();

		private final TableSchema schema = TestDynamoDb.newTable();

		@Test
		void aConflictCommitsNothingAndMayBeRepeated() {
			assertThat(cancelledFor("TransactionConflict")).isInstanceOf(Answer.NotApplied.class);
		}

		@Test
		void aThrottledTransactionCommitsNothingAndIsToldAsThrottled() {
			assertThat(cancelledFor("ThrottlingError")).isInstanceOfSatisfying(Answer.NotApplied.class,
					(throttled) -> assertThat(throttled.description()).contains("was throttled"));
		}

		private Answer cancelledFor(String reason) {
			CancellationReason conflict = CancellationReason.builder().code(reason).build();
			this.faults.inject(CallFault.thrown(() -> TransactionCanceledException.builder()
				.statusCode(400)
				.awsErrorDetails(AwsErrorDetails.builder().errorCode("TransactionCanceledException").build())
				.cancellationReasons(conflict, conflict)
				.build()), (request) -> true, 1);
			LockKey key = LockKey.of("k");
			TransactWriteItemsRequest request = TransactWriteItemsRequest.builder()
				.transactItems(TransactWriteItem.builder()
					.put((put) -> put.tableName("orders").item(Map.of("key", AttributeValue.fromS("order"))))
					.build())
				.build();
			try (DynamoDbClient client = TestDynamoDb.newClient(this.faults)) {
				return new DynamoDbLockStore(client, this.schema).send(new Step.Transact(new Guard(key, "alice", 5),
						ItemTransaction.of(key, request, this.schema), LockStoreFixture.LIMIT));
			}
		}

	}

	/** No call of this client is answered: none is sent. */
	@Nested
	class InAnotherRegion {

		private final CallRecorder calls = new CallRecorder();

		@ParameterizedTest
		@CsvSource({ "locks, arn:aws:dynamodb:us-east-1:123456789012:table/orders",
				"arn:aws:dynamodb:us-east-1:123456789012:table/locks, arn:aws:dynamodb:eu-central-1:123456789012:table/orders" })
		void aTableOfAnotherRegionIsRefusedBeforeAnythingIsSent(String locks, String orders) {
			TableSchema schema = TableSchema.of(locks);
			LockKey key = LockKey.of("k");
			TransactWriteItemsRequest request = TransactWriteItemsRequest.builder()
				.transactItems(TransactWriteItem.builder()
					.put((put) -> put.tableName(orders).item(Map.of("key", AttributeValue.fromS("order"))))
					.build())
				.build();
			try (DynamoDbClient client = DynamoDbClient.builder()
				.region(Region.EU_CENTRAL_1)
				.credentialsProvider(AnonymousCredentialsProvider.create())
				.overrideConfiguration((override) -> override.addExecutionInterceptor(this.calls))
				.build()) {
				Answer answer = new DynamoDbLockStore(client, schema).send(new Step.Transact(new Guard(key, "alice", 5),
						ItemTransaction.of(key, request, schema), LockStoreFixture.LIMIT));
				assertThat(((Answer.Failed) answer).failure()).isInstanceOf(LockStoreException.class)
					.hasMessageContaining(
							"was not sent: table '" + orders + "' is not in the region of lock table '" + locks + "'");
			}
			assertThat(this.calls.calls()).isEmpty();
		}

	}

	abstract static class Contract extends LockStoreFixture {

		/** A transaction that counts, if its own condition holds. */
		abstract Object transaction(boolean conditionHolds);

		/** How often such a transaction was committed. */
		abstract int written();

		private Answer transact(Object transaction, LockRecord holder) {
			Guard guard = new Guard(this.key, holder.ownerName(), holder.fencingToken().orElseThrow());
			return store().send(new Step.Transact(guard, transaction, LIMIT));
		}

		@Test
		void itCommitsWhileTheLockIsHeld() {
			LockRecord holder = applied(claim("alice", "v1", null));
			assertThat(transact(transaction(true), holder)).isInstanceOf(Answer.Committed.class);
			assertThat(written()).isEqualTo(1);
		}

		@Test
		void aHeartbeatDoesNotChangeTheCondition() {
			LockRecord holder = applied(claim("alice", "v1", null));
			renew("v2", "v1", LEASE);
			assertThat(transact(transaction(true), holder)).isInstanceOf(Answer.Committed.class);
			assertThat(found().recordVersionNumber()).isEqualTo("v2");
		}

		@Test
		void itCommitsOnceHoweverOftenItIsSent() {
			LockRecord holder = applied(claim("alice", "v1", null));
			Object transaction = transaction(true);
			transact(transaction, holder);
			assertThat(transact(transaction, holder)).isInstanceOf(Answer.Committed.class);
			claim("bob", "v2", "v1");
			assertThat(transact(transaction, holder)).isInstanceOf(Answer.Committed.class);
			assertThat(written()).isEqualTo(1);
		}

		@Test
		void aFormerOwnerIsRefusedWithTheRecordOfTheNext() {
			LockRecord holder = applied(claim("alice", "v1", null));
			LockRecord next = applied(claim("bob", "v2", "v1"));
			assertThat(refused(transact(transaction(true), holder))).usingRecursiveComparison().isEqualTo(next);
			assertThat(written()).isZero();
		}

		@Test
		void anOwnerIsRefusedUnderAnEarlierTokenOfItsOwn() {
			LockRecord before = applied(claim("alice", "v1", null));
			applied(claim("alice", "v2", "v1"));
			assertThat(refused(transact(transaction(true), before)).recordVersionNumber()).isEqualTo("v2");
			assertThat(written()).isZero();
		}

		@Test
		void anotherOwnerIsRefusedUnderTheSameToken() {
			LockRecord holder = applied(claim("alice", "v1", null));
			delete("v2", Set.of("v1"));
			LockRecord next = applied(claim("bob", "v3", null));
			assertThat(next.fencingToken()).isEqualTo(holder.fencingToken());
			assertThat(refused(transact(transaction(true), holder)).ownerName()).isEqualTo("bob");
			assertThat(written()).isZero();
		}

		@Test
		void aReleasedLockRefuses() {
			LockRecord holder = applied(claim("alice", "v1", null));
			release("v2", Set.of("v1"));
			assertThat(refused(transact(transaction(true), holder)).isReleased()).isTrue();
			assertThat(written()).isZero();
		}

		@Test
		void aDeletedLockRefusesWithoutARecord() {
			LockRecord holder = applied(claim("alice", "v1", null));
			delete("v2", Set.of("v1"));
			assertThat(transact(transaction(true), holder)).isEqualTo(new Answer.Refused(null));
			assertThat(written()).isZero();
		}

		@Test
		void anItemThatIsNotALockRefusesWithoutARecord() {
			LockRecord holder = applied(claim("alice", "v1", null));
			putForeignItem(this.key);
			assertThat(transact(transaction(true), holder)).isEqualTo(new Answer.Refused(null));
			assertThat(written()).isZero();
		}

		@Test
		void aConditionOfTheApplicationCancelsIt() {
			LockRecord holder = applied(claim("alice", "v1", null));
			assertThat(transact(transaction(false), holder)).isInstanceOf(Answer.Cancelled.class);
			assertThat(written()).isZero();
		}

		@Test
		void aLostLockComesBeforeAConditionOfTheApplication() {
			LockRecord holder = applied(claim("alice", "v1", null));
			claim("bob", "v2", "v1");
			assertThat(transact(transaction(false), holder)).isInstanceOf(Answer.Refused.class);
		}

	}

	abstract static class OnDynamoDb extends Contract {

		private final DynamoDbClient client;

		private final TableSchema schema;

		private final LockStore store;

		private final String counters;

		private final Map<String, AttributeValue> counter;

		OnDynamoDb(InMemoryDynamoDb client) {
			this(client, TestDynamoDb.create(client, TableSchema.of("locks")),
					TestDynamoDb.create(client, TableSchema.of("counters")).tableName());
		}

		OnDynamoDb(DynamoDbClient client, TableSchema schema, String counters) {
			this.client = client;
			this.schema = schema;
			this.store = new DynamoDbLockStore(client, schema);
			this.counters = counters;
			this.counter = Map.of("key", AttributeValue.fromS(UUID.randomUUID().toString()));
		}

		@Override
		LockStore store() {
			return this.store;
		}

		@Override
		void putForeignItem(LockKey key) {
			this.client.putItem((put) -> put.tableName(this.schema.tableName()).item(this.schema.item(key)));
		}

		@Override
		Object transaction(boolean conditionHolds) {
			Update update = Update.builder()
				.tableName(this.counters)
				.key(this.counter)
				.updateExpression("SET written = if_not_exists(written, :zero) + :one")
				.conditionExpression(conditionHolds ? "attribute_not_exists(nowhere)" : "attribute_exists(nowhere)")
				.expressionAttributeValues(
						Map.of(":zero", AttributeValue.fromN("0"), ":one", AttributeValue.fromN("1")))
				.build();
			TransactWriteItemsRequest request = TransactWriteItemsRequest.builder()
				.transactItems(TransactWriteItem.builder().update(update).build())
				.build();
			return ItemTransaction.of(this.key, request, this.schema);
		}

		@Override
		int written() {
			AttributeValue written = this.client
				.getItem((get) -> get.tableName(this.counters).key(this.counter).consistentRead(true))
				.item()
				.get("written");
			return (written == null) ? 0 : Integer.parseInt(written.n());
		}

	}

}
