/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.network;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

import io.github.dynamodblock.faults.worker.DynamoDbClients;
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
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultyLinkTests {

	private static final String TABLE = "links";

	private final EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();

	private final CallMeter meter = new CallMeter();

	private final FaultyLink link = FaultyLink.start(this.dynamoDb.endpoint(), this.meter, 1);

	private final DynamoDbClient client = newClient(this.link);

	private int items;

	@BeforeAll
	void createTable() {
		LockTable.of(this.dynamoDb.client(), TABLE).createIfMissing();
	}

	@AfterEach
	void mend() {
		this.link.set(LinkState.FINE);
	}

	@AfterAll
	void close() {
		this.client.close();
		this.link.close();
		this.dynamoDb.close();
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
		assertThatExceptionOfType(SdkException.class).isThrownBy(this::put);
		assertThat(isStored("item-" + this.items)).isFalse();
		this.link.set(LinkState.FINE);
		Awaitility.await().until(() -> isStored("item-" + this.items));
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
		Awaitility.await().until(() -> isStored(key));
	}

	@Test
	void linkToADatabaseThatIsAwayBreaksConnections() throws IOException {
		try (FaultyLink nowhere = FaultyLink.start(URI.create("http://127.0.0.1:9"), new CallMeter(), 1);
				DynamoDbClient lonely = newClient(nowhere)) {
			assertThatExceptionOfType(SdkException.class).isThrownBy(lonely::listTables);
		}
	}

	/** A client that asks once, and does not wait for long. */
	private static DynamoDbClient newClient(FaultyLink link) {
		return DynamoDbClients.at(link.port(), (override) -> override.apiCallTimeout(Duration.ofSeconds(2))
			.retryStrategy(AwsRetryStrategy.doNotRetry()));
	}

	private String put() {
		this.items++;
		String key = "item-" + this.items;
		this.client.putItem((request) -> request.tableName(TABLE).item(Map.of("key", AttributeValue.fromS(key))));
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
