/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import java.net.URI;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * How a DynamoDB for tests and development is reached: a container that Testcontainers or
 * Docker Compose runs. As a bean it makes the {@code DynamoDbClient} bean
 * {@code testDynamoDbClient}, unless the application defines its own client.
 *
 * <p>
 * Containers marked with {@code @ServiceConnection} and services of a
 * {@code compose.yaml} give one by themselves. Another DynamoDB is given by a bean of
 * this type:
 *
 * <pre class="code">
 * &#64;Bean
 * DynamoDbConnectionDetails dynamoDb() {
 *     return () -&gt; URI.create("http://dynamodb.test:8000");
 * }
 * </pre>
 */
@FunctionalInterface
public interface DynamoDbConnectionDetails extends ConnectionDetails {

	/**
	 * The address.
	 * @return an address with scheme, host and port
	 */
	URI getEndpoint();

	/**
	 * The region. DynamoDB Local keeps the tables of each region and access key apart,
	 * unless it runs with {@code -sharedDb}.
	 * @return the region's name; {@code us-east-1} unless overridden
	 */
	default String getRegion() {
		return "us-east-1";
	}

	/**
	 * The access key.
	 * @return the access key; {@code local} unless overridden
	 */
	default String getAccessKey() {
		return "local";
	}

	/**
	 * The secret key.
	 * @return the secret key; {@code local} unless overridden
	 */
	default String getSecretKey() {
		return "local";
	}

}
