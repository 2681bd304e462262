/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.FaultyCalls.Injection;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Transactions of the application that commit only while the lock is held.
 */
class GuardedWriteTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private final String counters = TestDynamoDb.newTable().tableName();

	private final FaultyCalls faults = new FaultyCalls();

	private final CallRecorder calls = new CallRecorder();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClientWithoutRetries(this.faults, this.calls);

	private final LockClient client = client("one", this.dynamoDb);

	private final LockClient other = client("two", TestDynamoDb.client());

	/** DynamoDB Local remembers tokens for all tables. */
	private final String token = UUID.randomUUID().toString();

	private LockClient client(String name, DynamoDbClient dynamoDb) {
		return LockClient.builder(dynamoDb)
			.tableName(this.table.tableName())
			.ownerName(name)
			.leaseDuration(Duration.ofSeconds(20))
			.build();
	}

	@AfterEach
	void close() {
		this.client.close();
		this.other.close();
		this.dynamoDb.close();
	}

	@Test
	void itCommitsWhileTheLockIsHeld() throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		lock.transactWrite(List.of(increment()));
		lock.renew();
		lock.transactWrite(List.of(increment()));
		assertThat(counter()).isEqualTo(2);
	}

	@Test
	void aHolderThatHasLostItsLockUnnoticedWritesNothingAndLearnsOfTheLoss() throws InterruptedException {
		HeldLock lock = this.client.acquire(LockRequest.of("k").automaticRenewal(false));
		this.other.forceRelease(lock.key(), lock.record().ownerName());
		HeldLock next = this.other.acquire("k");
		assertThat(lock.isHeld()).isTrue();

		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.transactWrite(List.of(increment())))
			.satisfies((lost) -> assertThat(lost.reason()).isEqualTo(LossReason.STOLEN));
		assertThat(counter()).isZero();
		assertThat(lock.lossReason()).contains(LossReason.STOLEN);
		assertThat(next.isHeld()).isTrue();
	}

	@Test
	void aLockThatWasReleasedByForceOrDeletedRefusesTheWrite() throws InterruptedException {
		HeldLock released = this.client.acquire(LockRequest.of("k").automaticRenewal(false));
		this.other.forceRelease(released.key(), released.record().ownerName());
		assertLost(released, LossReason.RELEASED_BY_ADMINISTRATOR);

		HeldLock deleted = this.client.acquire(LockRequest.of("k").automaticRenewal(false));
		this.dynamoDb.deleteItem(
				(delete) -> delete.tableName(this.table.tableName()).key(Map.of("key", AttributeValue.fromS("k"))));
		assertLost(deleted, LossReason.ITEM_MISSING);
		assertThat(counter()).isZero();
	}

	private void assertLost(HeldLock lock, LossReason reason) {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.transactWrite(List.of(increment())))
			.satisfies((lost) -> assertThat(lost.reason()).isEqualTo(reason));
	}

	@Test
	void aReleasedOrDetachedHandleSendsNothing() throws InterruptedException {
		HeldLock released = this.client.acquire("k");
		released.release();
		HeldLock detached = this.client.acquire("k");
		detached.detach();
		int before = this.calls.calls().size();
		assertThatIllegalStateException().isThrownBy(() -> released.transactWrite(List.of(increment())))
			.withMessageContaining("released by this handle");
		assertThatIllegalStateException().isThrownBy(() -> detached.transactWrite(List.of(increment())))
			.withMessageContaining("detached from this handle");
		assertThat(this.calls.calls()).hasSize(before);
	}

	@ParameterizedTest
	@MethodSource("passingFaults")
	void aLostAnswerAConflictOrAThrottledCallIsRepeatedAndTheWriteCommitsOnce(CallFault fault)
			throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		Injection injected = this.faults.inject(fault, GuardedWriteTests::isTransaction, 2);
		lock.transactWrite(List.of(increment()));
		assertThat(injected.count()).isEqualTo(2);
		assertThat(counter()).isEqualTo(1);
	}

	static List<CallFault> passingFaults() {
		return List.of(CallFault.answerLost(), CallFault.requestLost(), CallFault.throttled(), CallFault.serverError(),
				CallFault.serverErrorAfterwards());
	}

	@Test
	void aConditionOfTheApplicationThatDoesNotHoldReachesTheCallerWithTheReasonsOfItsItems()
			throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		assertThatExceptionOfType(TransactionCanceledException.class)
			.isThrownBy(() -> lock.transactWrite(List.of(increment(), onlyIfThere())))
			.satisfies((cancelled) -> assertThat(cancelled.cancellationReasons()).extracting(CancellationReason::code)
				.containsExactly("None", "ConditionalCheckFailed"));
		assertThat(counter()).isZero();
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void aConditionThatFailsAfterAnAttemptWithoutAnAnswerIsReportedAsUnknown() throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		this.faults.inject(CallFault.requestLost(), GuardedWriteTests::isTransaction, 1);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> lock.transactWrite(List.of(increment(), onlyIfThere())))
			.withMessageContaining("it may or may not have been committed")
			.withCauseInstanceOf(TransactionCanceledException.class);
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void aWriteWhoseAnswerStaysUnknownIsReportedAsUnknown() throws InterruptedException {
		HeldLock lock = this.client
			.acquire(LockRequest.of("k").leaseDuration(Duration.ofSeconds(5)).automaticRenewal(false));
		this.faults.inject(CallFault.answerLost(), GuardedWriteTests::isTransaction, Integer.MAX_VALUE);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lock.transactWrite(List.of(increment())))
			.withMessageContaining("it may or may not have been committed");
		assertThat(counter()).isEqualTo(1);
	}

	@Test
	void theTimeThatAFailedWriteTookIsRounded() throws InterruptedException {
		HeldLock lock = this.client.acquire(LockRequest.of("k").leaseDuration(Duration.ofSeconds(5)));
		this.faults.inject(CallFault.answerLost(), GuardedWriteTests::isTransaction, Integer.MAX_VALUE);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lock.transactWrite(List.of(increment())))
			.withMessageContaining("was not confirmed within 4.9 s; it may or may not have been committed");
	}

	@Test
	void heartbeatsAndWritesOfOneHandleNeverMeet() throws Exception {
		HeldLock lock = this.client.acquire("k");
		List<CompletableFuture<Void>> writers = IntStream.range(0, 4)
			.mapToObj((number) -> CompletableFuture.runAsync(() -> writeAndRenew(lock)))
			.toList();
		for (CompletableFuture<Void> writer : writers) {
			writer.get();
		}
		assertThat(counter()).isEqualTo(40);
		assertThat(this.calls.calls().stream().filter((call) -> isTransaction(call.request()))).hasSize(40);
	}

	private void writeAndRenew(HeldLock lock) {
		try {
			for (int time = 0; time < 10; time++) {
				lock.transactWrite(List.of(increment()));
				lock.renew();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aMistakeInTheItemsIsNotReportedAsOneOfTheLockTable() throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		TransactWriteItem elsewhere = TransactWriteItem.builder()
			.put(Put.builder().tableName("no-such-table").item(Map.of("key", AttributeValue.fromS("order"))).build())
			.build();
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lock.transactWrite(List.of(elsewhere)))
			.withMessageContaining("Check tables, keys and expressions of the transaction's items");
		TransactWriteItem wrongKey = put(Map.of("key", AttributeValue.fromN("1")));
		assertThatExceptionOfType(TransactionCanceledException.class)
			.isThrownBy(() -> lock.transactWrite(List.of(wrongKey)))
			.satisfies((cancelled) -> assertThat(cancelled.cancellationReasons()).extracting(CancellationReason::code)
				.containsExactly("ValidationError"));
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void optionsOfTheRequestAreKept() throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		TransactWriteItemsResponse response = lock.transactWrite(TransactWriteItemsRequest.builder()
			.transactItems(increment())
			.returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
			.clientRequestToken(this.token)
			.build());
		assertThat(response.consumedCapacity()).extracting((capacity) -> capacity.capacityUnits())
			.containsExactlyInAnyOrder(2.0, 2.0);
		lock.transactWrite(TransactWriteItemsRequest.builder()
			.transactItems(increment())
			.returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
			.clientRequestToken(this.token)
			.build());
		assertThat(counter()).isEqualTo(1);
	}

	@Test
	void theConditionAloneServesATransactionOfTheApplication() throws InterruptedException {
		HeldLock lock = this.client.acquire(LockRequest.of("k").automaticRenewal(false));
		TransactWriteItem held = TransactWriteItem.builder().conditionCheck(lock.conditionCheck()).build();
		this.dynamoDb.transactWriteItems((write) -> write.transactItems(held, increment()));
		assertThat(counter()).isEqualTo(1);
		lock.release();
		assertThatExceptionOfType(TransactionCanceledException.class)
			.isThrownBy(() -> this.dynamoDb.transactWriteItems((write) -> write.transactItems(held, increment())));
		assertThat(counter()).isEqualTo(1);
	}

	@Test
	void whatDynamoDbWouldRefuseIsReportedBeforeAnythingIsSent() throws InterruptedException {
		HeldLock lock = this.client.acquire(LockRequest.of("k").automaticRenewal(false));
		int before = this.calls.calls().size();
		assertThatIllegalArgumentException().isThrownBy(() -> lock.transactWrite(List.of()))
			.withMessageContaining("has 0 items; it must have 1 to 99");
		List<TransactWriteItem> many = IntStream.range(0, 100).mapToObj((number) -> increment()).toList();
		assertThatIllegalArgumentException().isThrownBy(() -> lock.transactWrite(many))
			.withMessageContaining("has 100 items");
		TransactWriteItem large = put(Map.of("key", AttributeValue.fromS("x".repeat(390_000))));
		List<TransactWriteItem> tooLarge = IntStream.range(0, 11).mapToObj((number) -> large).toList();
		assertThatIllegalArgumentException().isThrownBy(() -> lock.transactWrite(tooLarge))
			.withMessageContaining("DynamoDB allows 4194304");
		TransactWriteItem own = TransactWriteItem.builder()
			.put(Put.builder()
				.tableName("arn:aws:dynamodb:eu-west-1:123456789012:table/" + this.table.tableName())
				.item(Map.of("key", AttributeValue.fromS("k"), "data", AttributeValue.fromS("mine")))
				.build())
			.build();
		assertThatIllegalArgumentException().isThrownBy(() -> lock.transactWrite(List.of(increment(), own)))
			.withMessageContaining("Item 1 of the guarded write of lock 'k' is the item of the lock itself");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> lock.transactWrite(List.of(TransactWriteItem.builder().build())))
			.withMessageContaining("is empty");
		assertThat(this.calls.calls()).hasSize(before);
	}

	@Test
	void aTokenOfTheCallersThatRepeatsAnotherTransactionIsReported() throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		lock.transactWrite(
				TransactWriteItemsRequest.builder().transactItems(increment()).clientRequestToken(this.token).build());
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> lock.transactWrite(TransactWriteItemsRequest.builder()
				.transactItems(put(Map.of("key", AttributeValue.fromS("another"))))
				.clientRequestToken(this.token)
				.build()))
			.withMessageContaining("IdempotentParameterMismatch")
			.withMessageContaining("Use a different client request token for each transaction, or none");
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void aHandleThatIsKnownToBeLostSendsNothing() throws InterruptedException {
		HeldLock lock = this.client.acquire(LockRequest.of("k").automaticRenewal(false));
		this.other.forceRelease(lock.key(), lock.record().ownerName());
		assertLost(lock, LossReason.RELEASED_BY_ADMINISTRATOR);
		int before = this.calls.calls().size();
		assertLost(lock, LossReason.RELEASED_BY_ADMINISTRATOR);
		assertThat(this.calls.calls()).hasSize(before);
	}

	@Test
	void aTableWithoutTransactionsIsReported() throws InterruptedException {
		HeldLock lock = this.client.acquire("k");
		this.faults.inject(CallFault.thrown(() -> DynamoDbException.builder()
			.statusCode(400)
			.awsErrorDetails(AwsErrorDetails.builder()
				.serviceName("DynamoDb")
				.errorCode("ValidationException")
				.errorMessage("Transactions are not supported on this table")
				.build())
			.build()), GuardedWriteTests::isTransaction, 1);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lock.transactWrite(List.of(increment())))
			.withMessageContaining("Transactions are not supported on this table")
			.withMessageContaining(
					"nor on global tables with multi-region strong consistency; guard such writes with the "
							+ "lock's fencing token");
		assertThat(counter()).isZero();
		assertThat(lock.isHeld()).isTrue();
	}

	private static boolean isTransaction(SdkRequest request) {
		return request instanceof TransactWriteItemsRequest;
	}

	private TransactWriteItem increment() {
		return TransactWriteItem.builder()
			.update(Update.builder()
				.tableName(this.counters)
				.key(Map.of("key", AttributeValue.fromS("counter")))
				.updateExpression("ADD written :one")
				.expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")))
				.build())
			.build();
	}

	private TransactWriteItem put(Map<String, AttributeValue> item) {
		return TransactWriteItem.builder().put(Put.builder().tableName(this.counters).item(item).build()).build();
	}

	private TransactWriteItem onlyIfThere() {
		return TransactWriteItem.builder()
			.put(Put.builder()
				.tableName(this.counters)
				.item(Map.of("key", AttributeValue.fromS("order")))
				.conditionExpression("attribute_exists(#key)")
				.expressionAttributeNames(Map.of("#key", "key"))
				.build())
			.build();
	}

	private int counter() {
		AttributeValue written = this.dynamoDb
			.getItem((get) -> get.tableName(this.counters)
				.key(Map.of("key", AttributeValue.fromS("counter")))
				.consistentRead(true))
			.item()
			.get("written");
		return (written == null) ? 0 : Integer.parseInt(written.n());
	}

}
