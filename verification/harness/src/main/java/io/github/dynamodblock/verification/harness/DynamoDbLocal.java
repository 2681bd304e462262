/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * DynamoDB Local in a separate process, on the loopback interface.
 */
public final class DynamoDbLocal {

	private DynamoDbLocal() {
	}

	/**
	 * Returns a client for the demo's process, without a proxy and with any credentials.
	 * @param endpoint the address of DynamoDB Local
	 * @param interceptors see every call
	 * @return the client, which the caller closes
	 */
	public static DynamoDbClient client(String endpoint, ExecutionInterceptor... interceptors) {
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
			.overrideConfiguration((override) -> List.of(interceptors).forEach(override::addExecutionInterceptor))
			.build();
	}

	/**
	 * Runs DynamoDB Local until the parent process ends it.
	 * @param args the port, and an existing directory for the tables; without them, a
	 * free port, and tables in memory
	 */
	public static void main(String[] args) {
		try (EmbeddedDynamoDb database = (args.length > 0)
				? EmbeddedDynamoDb.start(Integer.parseInt(args[0]), Path.of(args[1])) : EmbeddedDynamoDb.start()) {
			ParentProcess.serve(database.endpoint().toString());
		}
		System.exit(0);
	}

}
