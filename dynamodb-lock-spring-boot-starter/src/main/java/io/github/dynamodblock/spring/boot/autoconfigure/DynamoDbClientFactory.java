/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Creates the DynamoDbClient if the application has none. Options that the properties do
 * not set fall back to the SDK's defaults. A subclass uses the application's
 * configuration of all AWS clients instead.
 */
class DynamoDbClientFactory {

	/**
	 * Returns the region to use if the properties set none.
	 * @return the region
	 * @throws SdkClientException if none is found
	 */
	Region region() {
		return DefaultAwsRegionProviderChain.builder().build().getRegion();
	}

	/**
	 * Sets options such as credentials and endpoint. The properties are applied later.
	 * @param builder the client's builder
	 * @param region the region
	 */
	void configure(DynamoDbClientBuilder builder, Region region) {
	}

	/**
	 * Creates the client.
	 * @param connection how DynamoDB is reached
	 * @return the client, which has sent nothing yet
	 */
	final DynamoDbClient create(DynamoDbConnectionDetails connection) {
		return create(connection, (builder) -> {
		});
	}

	/**
	 * Creates the client.
	 * @param connection how DynamoDB is reached
	 * @param customizer applied to the builder last
	 * @return the client, which has sent nothing yet
	 */
	final DynamoDbClient create(DynamoDbConnectionDetails connection, Consumer<DynamoDbClientBuilder> customizer) {
		URI endpoint = connection.getEndpoint();
		DynamoDbClientBuilder builder = DynamoDbClient.builder();
		Region region = region(connection, endpoint);
		configure(builder, region);
		builder.region(region);
		if (endpoint != null) {
			builder.endpointOverride(endpoint);
		}
		String accessKey = connection.getAccessKey();
		String secretKey = connection.getSecretKey();
		if (accessKey != null && secretKey != null) {
			builder.credentialsProvider(
					StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)));
		}
		customizer.accept(builder);
		return builder.build();
	}

	private Region region(DynamoDbConnectionDetails connection, @Nullable URI endpoint) {
		String prefix = PropertiesDynamoDbConnectionDetails.PREFIX;
		try {
			String region = connection.getRegion();
			return (region != null) ? Region.of(region) : region();
		}
		catch (SdkClientException ex) {
			throw new LockSetupException(
					"No DynamoDbClient could be created, because no AWS region is configured: " + prefix
							+ ".region is not set, and the SDK found none.",
					"Set " + prefix + ".region, the environment variable AWS_REGION, or the region of the AWS profile"
							+ ((endpoint != null) ? "; DynamoDB Local accepts any, such as local" : "")
							+ ". Or define a DynamoDbClient bean. To try locks without AWS, add "
							+ "dynamodb-lock-spring-boot-starter-test as an optional dependency, and set "
							+ "dynamodb-lock.embedded.enabled=true on your machine.",
					ex);
		}
	}

}
