/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.network;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.dynamodblock.faults.worker.GuardedCounter;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultyLinkTests {

	private static final String TABLE = "links";

	private final EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();

	private final CallMeter meter = new CallMeter();

	private final Queue<AppliedClaim> claims = new ConcurrentLinkedQueue<>();

	private final FaultyLink link = FaultyLink.start(this.dynamoDb.endpoint(), this.meter, this.claims::add, 1);

	private final DynamoDbClient client = newClient(this.link, Duration.ofMinutes(1));

	/** For calls that nobody answers. */
	private final DynamoDbClient impatientClient = newClient(this.link, Duration.ofSeconds(2));

	private int items;

	@BeforeAll
	void createTable() {
		LockTable.of(this.dynamoDb.client(), TABLE).createIfMissing();
		LockTable.of(this.dynamoDb.client(), GuardedCounter.TABLE).createIfMissing();
	}

	@AfterEach
	void mend() {
		this.link.set(LinkState.FINE);
	}

	@AfterAll
	void close() {
		this.client.close();
		this.impatientClient.close();
		this.link.close();
		this.dynamoDb.close();
	}

	@Test
	void transactionsAreAnsweredAfterTheirCommit() {
		Update update = Update.builder()
			.tableName(TABLE)
			.key(key("guarded"))
			.updateExpression("ADD times :one")
			.expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")))
			.build();
		this.client
			.transactWriteItems((write) -> write.transactItems(TransactWriteItem.builder().update(update).build()));
		assertThat(this.dynamoDb.client().getItem((get) -> get.tableName(TABLE).key(key("guarded"))).item())
			.containsEntry("times", AttributeValue.fromN("1"));
		assertThat(this.meter.calls()).containsEntry("TransactWriteItems", 1L)
			.doesNotContainKey("GetItem, guarded counter");
	}

	private static Map<String, AttributeValue> key(String key) {
		return Map.of("key", AttributeValue.fromS(key));
	}

	@Test
	void callsComeThroughAndAreCounted() {
		long before = this.meter.calls().getOrDefault("PutItem", 0L);
		String key = put();
		assertThat(isStored(key)).isTrue();
		assertThat(this.meter.calls()).containsEntry("PutItem", before + 1);
	}

	@ParameterizedTest
	@EnumSource(names = { "REQUEST_LOST", "THROTTLED" })
	void requestIsNotCarriedOut(CallFault fault) {
		this.link.set(LinkState.faulty(fault, 1));
		assertThatExceptionOfType(SdkException.class).isThrownBy(this::put);
		assertThat(isStored("item-" + this.items)).isFalse();
	}

	@ParameterizedTest
	@EnumSource(names = { "ANSWER_LOST", "ANSWER_CUT", "SERVER_ERROR" })
	void requestIsCarriedOutAlthoughItsSenderDoesNotKnow(CallFault fault) {
		this.link.set(LinkState.faulty(fault, 1));
		assertThatExceptionOfType(SdkException.class).isThrownBy(this::put);
		assertThat(isStored("item-" + this.items)).isTrue();
	}

	@Test
	void errorsAreThoseOfTheService() {
		this.link.set(LinkState.faulty(CallFault.THROTTLED, 1));
		assertThatExceptionOfType(ProvisionedThroughputExceededException.class).isThrownBy(this::put);
		this.link.set(LinkState.faulty(CallFault.SERVER_ERROR, 1));
		assertThatExceptionOfType(InternalServerErrorException.class).isThrownBy(this::put);
	}

	@Test
	void whatTheBlackHoleSwallowedArrivesWhenItIsGone() {
		this.link.set(LinkState.BLACK_HOLE);
		assertThatExceptionOfType(SdkException.class).isThrownBy(() -> put(this.impatientClient));
		assertThat(isStored("item-" + this.items)).isFalse();
		this.link.set(LinkState.FINE);
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> isStored("item-" + this.items));
	}

	@Test
	void nothingComesThroughALinkThatIsCut() {
		this.link.set(LinkState.CUT);
		assertThatExceptionOfType(SdkException.class).isThrownBy(this::put);
		this.link.set(LinkState.FINE);
		assertThat(isStored(put())).isTrue();
	}

	@Test
	void requestThatComesTwiceIsCarriedOutAgain() {
		this.link.set(LinkState.faulty(CallFault.REQUEST_TWICE, 1));
		String key = put();
		delete(key);
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> isStored(key));
	}

	@ParameterizedTest
	@EnumSource(names = { "NONE", "ANSWER_LOST", "ANSWER_CUT", "SERVER_ERROR" })
	void claimIsSeenEvenIfItsOwnerNeverLearnsOfIt(CallFault fault) {
		this.items++;
		String key = "item-" + this.items;
		this.link.set(LinkState.faulty(fault, 1));
		Throwable failure = catchThrowable(() -> claim(key));
		assertThat(failure != null).isEqualTo(fault != CallFault.NONE);
		assertThat(this.claims).contains(new AppliedClaim(key, "somebody", 8));
	}

	@Test
	void claimIsSeenWhenSomebodyElseReadsTheItem() {
		this.dynamoDb.client()
			.putItem((request) -> request.tableName(TABLE)
				.item(Map.of("key", AttributeValue.fromS("read"), "ownerName", AttributeValue.fromS("another"),
						"fencingToken", AttributeValue.fromN("9"))));
		this.client.getItem((request) -> request.tableName(TABLE).key(Map.of("key", AttributeValue.fromS("read"))));
		assertThat(this.claims).contains(new AppliedClaim("read", "another", 9));
	}

	@Test
	void claimIsSeenWhenItRefusesTheWriteOfAnother() {
		claim("refusing");
		this.claims.clear();
		assertThatExceptionOfType(ConditionalCheckFailedException.class)
			.isThrownBy(() -> this.client.deleteItem((request) -> request.tableName(TABLE)
				.key(Map.of("key", AttributeValue.fromS("refusing")))
				.conditionExpression("attribute_not_exists(ownerName)")
				.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)));
		assertThat(this.claims).containsExactly(new AppliedClaim("refusing", "somebody", 8));
	}

	private void claim(String key) {
		this.client.updateItem((request) -> request.tableName(TABLE)
			.key(Map.of("key", AttributeValue.fromS(key)))
			.updateExpression("SET ownerName = :me, fencingToken = :token")
			.expressionAttributeValues(
					Map.of(":me", AttributeValue.fromS("somebody"), ":token", AttributeValue.fromN("8")))
			.returnValues(ReturnValue.ALL_NEW));
	}

	@Test
	void linkToADatabaseThatIsAwayBreaksConnections() throws IOException {
		try (FaultyLink nowhere = FaultyLink.start(URI.create("http://127.0.0.1:9"), new CallMeter(), this.claims::add,
				1); DynamoDbClient lonely = newClient(nowhere, Duration.ofMinutes(1))) {
			assertThatExceptionOfType(SdkException.class).isThrownBy(lonely::listTables);
		}
	}

	/** A client that asks once. */
	private DynamoDbClient newClient(FaultyLink link, Duration timeout) {
		return this.dynamoDb
			.newClient((client) -> client.endpointOverride(URI.create("http://127.0.0.1:" + link.port()))
				.overrideConfiguration(
						(override) -> override.apiCallTimeout(timeout).retryStrategy(AwsRetryStrategy.doNotRetry())));
	}

	private String put() {
		return put(this.client);
	}

	private String put(DynamoDbClient client) {
		this.items++;
		String key = "item-" + this.items;
		client.putItem((request) -> request.tableName(TABLE).item(Map.of("key", AttributeValue.fromS(key))));
		return key;
	}

	private void delete(String key) {
		this.dynamoDb.client()
			.deleteItem((request) -> request.tableName(TABLE).key(Map.of("key", AttributeValue.fromS(key))));
	}

	private boolean isStored(String key) {
		return this.dynamoDb.client()
			.getItem((request) -> request.tableName(TABLE)
				.key(Map.of("key", AttributeValue.fromS(key)))
				.consistentRead(true))
			.hasItem();
	}

}
