/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that learns from DynamoDB's responses whether its clock is within the bound.
 */
class ClockSkewBoundTests {

	private static final LockKey KEY = LockKey.of("orders-42");

	@ParameterizedTest
	@CsvSource({ "PT0S, true", "PT1M, false", "PT-1M, false" })
	void aHolderStoresTheEndOfItsLeaseUnlessItKnowsThatItsClockIsOff(Duration ahead, boolean stored)
			throws InterruptedException {
		String table = TestDynamoDb.newTable().tableName();
		try (DynamoDbClient dynamoDb = TestDynamoDb.newClient(new ShiftedDate(ahead.negated()));
				LockClient client = LockClient.builder(dynamoDb)
					.tableName(table)
					.clockSkewBound(Duration.ofSeconds(30))
					.build()) {
			assertThat(client.find(KEY)).isEmpty();
			HeldLock lock = client.acquire(KEY);
			assertThat(lock.record().leaseEnds().isPresent()).isEqualTo(stored);
			assertThat(client.find(KEY).orElseThrow().leaseEnds().isPresent()).isEqualTo(stored);
			lock.renew();
			assertThat(client.find(KEY).orElseThrow().leaseEnds().isPresent()).isEqualTo(stored);
		}
	}

	@Test
	void theFirstWriteIsBeforeTheFirstMeasurementAndTheNextOneCorrectsIt() throws InterruptedException {
		String table = TestDynamoDb.newTable().tableName();
		try (DynamoDbClient dynamoDb = TestDynamoDb.newClient(new ShiftedDate(Duration.ofMinutes(1)));
				LockClient client = LockClient.builder(dynamoDb)
					.tableName(table)
					.clockSkewBound(Duration.ofSeconds(30))
					.build()) {
			HeldLock lock = client.acquire(KEY);
			assertThat(lock.record().leaseEnds()).isPresent();
			lock.renew();
			assertThat(client.find(KEY).orElseThrow().leaseEnds()).isEmpty();
		}
	}

	/**
	 * Shifts the time that DynamoDB's responses show.
	 *
	 * @param shift by how much
	 */
	private record ShiftedDate(Duration shift) implements ExecutionInterceptor {

		@Override
		public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
			SdkHttpResponse response = context.httpResponse();
			ZonedDateTime date = ZonedDateTime.parse(response.firstMatchingHeader("Date").orElseThrow(),
					DateTimeFormatter.RFC_1123_DATE_TIME);
			return response.toBuilder()
				.putHeader("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(date.plus(this.shift)))
				.build();
		}

	}

}
