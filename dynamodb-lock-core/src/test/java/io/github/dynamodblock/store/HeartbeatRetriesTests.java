/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Answer;
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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who repeats a call that failed: the protocol repeats heartbeats, the SDK the rest.
 */
class HeartbeatRetriesTests {

	private static final LockKey KEY = LockKey.of("k");

	private static final LockWrite HEARTBEAT = Writes.renew(KEY, "v2", "v1", Duration.ofSeconds(20), null);

	private static final LockWrite RELEASE = Writes.release(KEY, "v3", Set.of("v2"), null, false);

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

	@ParameterizedTest
	@MethodSource("retries")
	void theSdkRepeatsNoHeartbeat(Consumer<ClientOverrideConfiguration.Builder> retries) {
		assertThat(attempts(HEARTBEAT, retries)).isOne();
	}

	@Test
	void theSdkStillRepeatsOtherCallsOfTheClient() {
		assertThat(attempts(RELEASE, (override) -> override.retryStrategy(RetryMode.STANDARD))).isEqualTo(3);
	}

	private int attempts(LockWrite write, Consumer<ClientOverrideConfiguration.Builder> retries) {
		try (DynamoDbClient client = TestDynamoDb.newClient((builder) -> builder.overrideConfiguration((override) -> {
			retries.accept(override);
			override.addExecutionInterceptor(this.faults);
		}))) {
			LockStore store = new DynamoDbLockStore(client, TableSchema.of("locks"));
			Answer answer = store.send(new Step.Write(write, Duration.ofSeconds(20).toNanos()));
			assertThat(answer).isInstanceOfSatisfying(Answer.Unknown.class,
					(unknown) -> assertThat(unknown.description()).contains("was throttled"));
			return this.throttled.count();
		}
	}

}
