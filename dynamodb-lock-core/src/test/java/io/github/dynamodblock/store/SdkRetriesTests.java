/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.FaultyCalls.Injection;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who repeats a call that failed: the protocol, whatever the application has configured
 * for the SDK. Pages of a listing are the exception.
 */
class SdkRetriesTests {

	private static final LockKey KEY = LockKey.of("k");

	private static final long LIMIT = Step.Call.LONGEST_NANOS;

	private static final LockWrite HEARTBEAT = Writes.renew(KEY, "v2", "v1", Duration.ofSeconds(20), null);

	private static final LockWrite RELEASE = Writes.release(KEY, "v3", Set.of("v2"), null, false);

	private static final LockWrite DELETION = Writes.release(KEY, "v3", Set.of("v2"), null, true);

	private final FaultyCalls faults = new FaultyCalls();

	private final Injection throttled = this.faults.inject(CallFault.throttled(), (request) -> true);

	@SuppressWarnings("deprecation") // applications still use what is deprecated
	static Stream<Named<Consumer<ClientOverrideConfiguration.Builder>>> retries() {
		return Stream.of(Named.of("default", (override) -> {
		}), Named.of("legacy", (override) -> override.retryStrategy(RetryMode.LEGACY)),
				Named.of("standard", (override) -> override.retryStrategy(RetryMode.STANDARD)),
				Named.of("adaptive", (override) -> override.retryStrategy(RetryMode.ADAPTIVE_V2)),
				Named.of("a retry policy", (override) -> override.retryPolicy(RetryMode.STANDARD)),
				Named.of("its own strategy",
						(override) -> override.retryStrategy(
								StandardRetryStrategy.builder().maxAttempts(4).retryOnException((ex) -> true).build())),
				Named.of("a configured strategy",
						(override) -> override.retryStrategy((strategy) -> strategy.maxAttempts(7))));
	}

	static Stream<Named<Step.Call>> calls() {
		return Stream.of(Named.of("heartbeat", new Step.Write(HEARTBEAT, LIMIT)),
				Named.of("release", new Step.Write(RELEASE, LIMIT)),
				Named.of("release that deletes", new Step.Write(DELETION, LIMIT)),
				Named.of("mark", new Step.Mark(KEY, "waiting", LIMIT)),
				Named.of("read", new Step.Read(KEY, true, LIMIT)),
				Named.of("guarded write", new Step.Transact(new Guard(KEY, "owner", 1), transaction(), LIMIT)));
	}

	private static ItemTransaction transaction() {
		Put put = Put.builder().tableName("orders").item(Map.of("id", AttributeValue.fromS("1"))).build();
		return new ItemTransaction(TransactWriteItemsRequest.builder()
			.transactItems(TransactWriteItem.builder().put(put).build())
			.build());
	}

	@ParameterizedTest
	@MethodSource("retries")
	void theSdkRepeatsNoCallWhateverIsConfigured(Consumer<ClientOverrideConfiguration.Builder> retries) {
		assertThat(attempts(new Step.Write(HEARTBEAT, LIMIT), retries)).isOne();
	}

	@ParameterizedTest
	@MethodSource("calls")
	void theSdkRepeatsNoCallOfAnyKind(Step.Call call) {
		assertThat(attempts(call, (override) -> override.retryStrategy(RetryMode.STANDARD))).isOne();
	}

	@Test
	void theSdkRepeatsThePagesOfAListing() {
		try (DynamoDbClient client = client((override) -> override.retryStrategy(RetryMode.STANDARD))) {
			var pages = new DynamoDbLockStore(client, TableSchema.of("locks")).list(ListRequest.all(), () -> {
			}, Runnable::run);
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> pages.tryAdvance((page) -> {
			})).withMessageContaining("was throttled");
			assertThat(this.throttled.count()).isEqualTo(3);
		}
	}

	private int attempts(Step.Call call, Consumer<ClientOverrideConfiguration.Builder> retries) {
		try (DynamoDbClient client = client(retries)) {
			Answer answer = new DynamoDbLockStore(client, TableSchema.of("locks")).send(call);
			assertThat(answer).isInstanceOfSatisfying(Answer.NotApplied.class,
					(notApplied) -> assertThat(notApplied.description()).contains("was throttled"));
			return this.throttled.count();
		}
	}

	private DynamoDbClient client(Consumer<ClientOverrideConfiguration.Builder> retries) {
		return TestDynamoDb.newClient((builder) -> builder.overrideConfiguration((override) -> {
			retries.accept(override);
			override.addExecutionInterceptor(this.faults);
		}));
	}

}
