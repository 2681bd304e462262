/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.net.URI;
import java.util.function.Consumer;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Clients of DynamoDB Local, with the SDK's own time limits and retries unless said
 * otherwise.
 */
public final class DynamoDbClients {

	private DynamoDbClients() {
	}

	/**
	 * A new client, which the caller closes.
	 * @param port of the loopback address
	 * @return the client
	 */
	public static DynamoDbClient at(int port) {
		return at(port, (override) -> {
		});
	}

	/**
	 * A new client with other time limits, retries or interceptors, which the caller
	 * closes.
	 * @param port of the loopback address
	 * @param settings sets them
	 * @return the client
	 */
	public static DynamoDbClient at(int port, Consumer<ClientOverrideConfiguration.Builder> settings) {
		ProxyConfiguration noProxy = ProxyConfiguration.builder()
			.useSystemPropertyValues(false)
			.useEnvironmentVariableValues(false)
			.build();
		return DynamoDbClient.builder()
			.endpointOverride(URI.create("http://127.0.0.1:" + port))
			.region(Region.US_EAST_1)
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
			.httpClientBuilder(Apache5HttpClient.builder().proxyConfiguration(noProxy))
			.overrideConfiguration(settings)
			.build();
	}

}
