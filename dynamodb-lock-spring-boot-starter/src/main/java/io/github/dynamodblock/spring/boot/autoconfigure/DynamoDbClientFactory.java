/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;

import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Creates the DynamoDbClient if the application has none. Options that the properties do
 * not set fall back to the SDK's defaults. A subclass uses the application's
 * configuration of all AWS clients instead.
 */
class DynamoDbClientFactory {

	private static final String PREFIX = DynamoDbLockProperties.PREFIX + ".dynamodb";

	/**
	 * Returns the region to use if the properties set none.
	 * @return the region
	 * @throws SdkClientException if none is found
	 */
	Region region() {
		return DefaultAwsRegionProviderChain.builder().build().getRegion();
	}

	/**
	 * Sets options such as credentials and endpoint, before the properties do.
	 * @param builder the client's builder
	 * @param region the region
	 */
	void configure(DynamoDbClientBuilder builder, Region region) {
	}

	/**
	 * Creates the client.
	 * @param properties the connection to DynamoDB
	 * @return the client, which has sent nothing yet
	 */
	final DynamoDbClient create(DynamoDbLockProperties.DynamoDb properties) {
		URI endpoint = properties.endpoint();
		if (endpoint != null && endpoint.toString().contains("@")) {
			// Not reported as an invalid property, because that report prints the value.
			throw new LockSetupException(PREFIX + ".endpoint contains credentials.", "Remove them from the URL.", null);
		}
		if (endpoint != null && (endpoint.getHost() == null
				|| !("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme())))) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".endpoint", endpoint,
					"It must be an http or https URL with a host, such as http://localhost:8000.");
		}
		DynamoDbClientBuilder builder = DynamoDbClient.builder();
		Region region = region(properties);
		configure(builder, region);
		builder.region(region);
		if (endpoint != null) {
			builder.endpointOverride(endpoint);
		}
		return builder.build();
	}

	private Region region(DynamoDbLockProperties.DynamoDb properties) {
		try {
			return (properties.region() != null) ? Region.of(properties.region()) : region();
		}
		catch (SdkClientException ex) {
			throw new LockSetupException(
					"No DynamoDbClient could be created, because no AWS region is configured: " + PREFIX
							+ ".region is not set, and the SDK found none.",
					"Set " + PREFIX + ".region, the environment variable AWS_REGION, or the region of the AWS profile"
							+ ((properties.endpoint() != null) ? "; DynamoDB Local accepts any, such as local" : "")
							+ ". Or define a DynamoDbClient bean. To try locks without AWS, add dynamodb-lock-test as "
							+ "an optional dependency and start the application with spring-boot:run, or add it with "
							+ "scope test and start the application with spring-boot:test-run. The jar that Spring "
							+ "Boot builds contains neither dependency.",
					ex);
		}
	}

}
