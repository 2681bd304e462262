/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.RequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.DURATION;

class BareCallsTests {

	private final List<SdkRequest> sent = new ArrayList<>();

	@Test
	void aBareHeartbeatAppliesToWhatThePreviousOneWrote() throws Exception {
		SharedDatabase.INSTANCE.createTable("bare-heartbeats");
		try (DynamoDbClient dynamoDb = SharedDatabase.INSTANCE.newFastClient(new SentRequests())) {
			BareCalls heartbeats = BareCalls.ofHeartbeats(SharedDatabase.INSTANCE, dynamoDb, "bare-heartbeats", 1);
			for (int i = 0; i < 3; i++) {
				heartbeats.send(0);
			}
		}
		assertThat(this.sent).hasSize(4);
		for (int i = 1; i < this.sent.size(); i++) {
			assertThat(value(i, ":expected")).isEqualTo(value(i - 1, ":recordVersionNumber"));
			assertThat(limit(i)).get(DURATION).isBetween(Duration.ofMillis(961), Duration.ofMillis(980));
		}
	}

	@Test
	void bareCyclesHaveTheLockClientsTimeLimitsOrNone() throws Exception {
		SharedDatabase.INSTANCE.createTable("bare-cycles");
		try (DynamoDbClient dynamoDb = SharedDatabase.INSTANCE.newFastClient(new SentRequests())) {
			BareCalls.ofCycles(SharedDatabase.INSTANCE, dynamoDb, "bare-cycles", 1, true).cycle(0);
			BareCalls.ofCycles(SharedDatabase.INSTANCE, dynamoDb, "bare-cycles", 1, false).cycle(0);
		}
		assertThat(this.sent).hasSize(4);
		for (int i : new int[] { 0, 1 }) {
			assertThat(limit(i)).get(DURATION).isBetween(Duration.ofMillis(4_901), Duration.ofSeconds(5));
		}
		assertThat(limit(2)).isEmpty();
		assertThat(limit(3)).isEmpty();
	}

	private AttributeValue value(int request, String placeholder) {
		return ((UpdateItemRequest) this.sent.get(request)).expressionAttributeValues().get(placeholder);
	}

	private Optional<Duration> limit(int request) {
		return this.sent.get(request).overrideConfiguration().flatMap(RequestOverrideConfiguration::apiCallTimeout);
	}

	private final class SentRequests implements ExecutionInterceptor {

		@Override
		public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
			BareCallsTests.this.sent.add(context.request());
		}

	}

}
