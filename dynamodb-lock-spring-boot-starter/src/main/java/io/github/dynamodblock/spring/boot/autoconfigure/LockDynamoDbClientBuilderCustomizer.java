/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Sets options that properties do not have, such as the HTTP client. Beans of this type
 * are called with the builder of every {@code DynamoDbClient} that is created for lock
 * clients, after the properties, in the order of
 * {@link org.springframework.core.annotation.Order}. A {@code DynamoDbClient} bean of the
 * application is used as it is. The region comes from the properties or the SDK's default
 * chain; a customizer may replace it.
 *
 * <pre class="code">
 * &#64;Bean
 * LockDynamoDbClientBuilderCustomizer urlConnections() {
 *     return (builder) -&gt; builder.httpClientBuilder(UrlConnectionHttpClient.builder());
 * }
 * </pre>
 */
@FunctionalInterface
public interface LockDynamoDbClientBuilderCustomizer {

	/**
	 * Sets options of a client that is about to be built.
	 * @param builder the builder, with the properties applied
	 */
	void customize(DynamoDbClientBuilder builder);

}
