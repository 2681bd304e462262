/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * How DynamoDB is reached. Without such a bean, the properties
 * {@code dynamodb-lock.dynamodb.*} apply.
 *
 * <p>
 * A container with {@code @ServiceConnection} and a service of a {@code compose.yaml}
 * each provide one. To use another DynamoDB in tests or development, define such a bean:
 *
 * <pre class="code"> &#64;Bean DynamoDbConnectionDetails dynamoDb() { return () -&gt;
 * URI.create("http://dynamodb.test:8000"); } </pre>
 *
 * <p>
 * The {@code DynamoDbClient} bean {@code connectionDynamoDbClient} is created from it,
 * unless the application defines a client. The lock table is created there if it is
 * missing.
 */
@FunctionalInterface
public interface DynamoDbConnectionDetails extends ConnectionDetails {

	/**
	 * The address.
	 * @return an address with scheme, host and port, or {@code null} for the endpoint of
	 * the region
	 */
	@Nullable URI getEndpoint();

	/**
	 * The region. DynamoDB Local keeps the tables of each region and access key apart,
	 * unless it runs with {@code -sharedDb}.
	 * @return the region's name, {@code us-east-1} unless overridden, or {@code null} for
	 * the one that the SDK finds
	 */
	default @Nullable String getRegion() {
		return "us-east-1";
	}

	/**
	 * The access key.
	 * @return the access key, {@code local} unless overridden, or {@code null} for the
	 * credentials that the SDK finds
	 */
	default @Nullable String getAccessKey() {
		return "local";
	}

	/**
	 * The secret key.
	 * @return the secret key, {@code local} unless overridden; {@code null} if the access
	 * key is {@code null}
	 */
	default @Nullable String getSecretKey() {
		return "local";
	}

}
