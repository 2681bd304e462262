/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;

import io.github.dynamodblock.LockStoreException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Makes the DynamoDbClient of an application that has none.
 */
final class OwnDynamoDbClientFactory {

	private final DynamoDbLockProperties.Client properties;

	OwnDynamoDbClientFactory(DynamoDbLockProperties.Client properties) {
		this.properties = properties;
	}

	DynamoDbClient create() {
		URI endpoint = endpoint();
		DynamoDbClientBuilder builder = DynamoDbClient.builder().region(region());
		if (endpoint != null) {
			builder.endpointOverride(endpoint);
		}
		return builder.build();
	}

	private Region region() {
		if (this.properties.region() != null) {
			return Region.of(this.properties.region());
		}
		try {
			return DefaultAwsRegionProviderChain.builder().build().getRegion();
		}
		catch (SdkClientException ex) {
			throw new LockStoreException(
					"There is no DynamoDbClient bean, and none can be made for locks, because the "
							+ "SDK found no AWS region. Set " + PropertyValues.name("client.region")
							+ ", the environment variable AWS_REGION, or the region of the AWS profile"
							+ ((this.properties.endpoint() != null) ? "; DynamoDB Local takes any, such as local" : ""),
					ex);
		}
	}

	private @Nullable URI endpoint() {
		URI endpoint = this.properties.endpoint();
		if (endpoint != null && (endpoint.getHost() == null
				|| !("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme())))) {
			throw new InvalidConfigurationPropertyValueException(PropertyValues.name("client.endpoint"), endpoint,
					"It must be an address with http or https and a host, such as http://localhost:8000.");
		}
		return endpoint;
	}

}
