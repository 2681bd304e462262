/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The connection that {@code dynamodb-lock.dynamodb.*} describes. */
class PropertiesDynamoDbConnectionDetails implements DynamoDbConnectionDetails {

	static final String PREFIX = DynamoDbLockProperties.PREFIX + ".dynamodb";

	private final DynamoDbLockProperties.DynamoDb properties;

	PropertiesDynamoDbConnectionDetails(DynamoDbLockProperties.DynamoDb properties) {
		this.properties = properties;
	}

	@Override
	public @Nullable URI getEndpoint() {
		URI endpoint = this.properties.endpoint();
		if (endpoint != null && endpoint.toString().contains("@")) {
			// Not reported as an invalid property, because that report prints the value.
			throw new LockSetupException(PREFIX + ".endpoint contains credentials.", "Remove them from the URL.", null);
		}
		if (endpoint != null && (endpoint.getHost() == null
				|| !("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme())))) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".endpoint", endpoint,
					"It must be an http or https URL with a host, such as http://localhost:8000.");
		}
		return endpoint;
	}

	@Override
	public @Nullable String getRegion() {
		return this.properties.region();
	}

	@Override
	public @Nullable String getAccessKey() {
		return null;
	}

	@Override
	public @Nullable String getSecretKey() {
		return null;
	}

}
