/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The proxy does to a client's calls what it says.
 */
class TcpProxyTests {

	private final TcpProxy proxy = TcpProxy.start();

	private final DynamoDbClient client = TestDynamoDb
		.newClient((builder) -> builder.endpointOverride(this.proxy.endpoint())
			.overrideConfiguration((override) -> override.retryStrategy(AwsRetryStrategy.doNotRetry())));

	@AfterEach
	void close() {
		this.client.close();
		this.proxy.close();
	}

	@Test
	void callsPassUntilTheNetworkIsCutAndAgainWhenItHeals() {
		this.client.listTables();
		this.proxy.cut();
		assertThatExceptionOfType(SdkClientException.class).isThrownBy(this.client::listTables);
		assertThatExceptionOfType(SdkClientException.class).isThrownBy(this.client::listTables);
		assertThat(this.proxy.refused()).isPositive();
		this.proxy.heal();
		this.client.listTables();
	}

	@Test
	void whatWasSentIntoABlackHoleArrivesWhenTheNetworkHeals() {
		this.client.listTables();
		this.proxy.blackHole();
		CompletableFuture<?> call = CompletableFuture.supplyAsync(this.client::listTables);
		await().until(() -> this.proxy.bytesKept() > 0);
		assertThat(call).isNotDone();
		this.proxy.heal();
		assertThat(call).succeedsWithin(Duration.ofSeconds(30));
		assertThat(this.proxy.bytesKept()).isZero();
	}

	@Test
	void aSlowNetworkKeepsACallUntilItsTimeHasPassed() {
		this.client.listTables();
		this.proxy.slow(Duration.ofDays(1));
		CompletableFuture<?> call = CompletableFuture.supplyAsync(this.client::listTables);
		await().until(() -> this.proxy.bytesKept() > 0);
		assertThat(call).isNotDone();
		this.proxy.slow(Duration.ofMillis(1));
		this.client.listTables();
	}

}
