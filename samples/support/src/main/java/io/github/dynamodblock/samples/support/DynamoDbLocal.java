/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * DynamoDB Local in a process of its own, on a free port of the loopback interface.
 */
public final class DynamoDbLocal {

	private DynamoDbLocal() {
	}

	/**
	 * Starts it.
	 * @param logs the folder for its log
	 * @return the process, which does not listen yet
	 * @throws IOException if the process cannot be started
	 */
	public static ServerProcess start(Path logs) throws IOException {
		return ServerProcess.start("dynamodb-local", logs, "256m", DynamoDbLocal.class, List.of());
	}

	/**
	 * A client of it for the process of the script, which goes there without a proxy and
	 * with any credentials.
	 * @param endpoint where it listens
	 * @return the client, which the caller closes
	 */
	public static DynamoDbClient client(String endpoint) {
		ProxyConfiguration noProxy = ProxyConfiguration.builder()
			.useSystemPropertyValues(false)
			.useEnvironmentVariableValues(false)
			.build();
		return DynamoDbClient.builder()
			.endpointOverride(URI.create(endpoint))
			.region(Region.of("local"))
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
			.fipsEnabled(false)
			.dualstackEnabled(false)
			.httpClientBuilder(Apache5HttpClient.builder().proxyConfiguration(noProxy))
			.build();
	}

	/**
	 * Runs DynamoDB Local until the parent wants it to end.
	 * @param args none
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		try (EmbeddedDynamoDb database = EmbeddedDynamoDb.start()) {
			ParentProcess.tellAddress(database.endpoint().toString());
			ParentProcess.takeOrders((order) -> {
				// Nothing is said to it.
			});
		}
		System.exit(0);
	}

}
