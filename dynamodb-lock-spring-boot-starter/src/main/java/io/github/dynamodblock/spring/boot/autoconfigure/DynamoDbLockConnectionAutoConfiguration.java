/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the {@link DynamoDbClient} of a {@link DynamoDbConnectionDetails}
 * bean, such as a service connection's. It comes before other auto-configurations that
 * define a client, so these back off. It backs off itself if the application defines a
 * client. It applies even if locks are disabled, because an application that connects to
 * a container must not call another DynamoDB.
 */
@AutoConfiguration(
		before = { DynamoDbLockEmbeddedAutoConfiguration.class, DynamoDbLockFallbackClientAutoConfiguration.class },
		beforeName = "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration")
@ConditionalOnClass(DynamoDbClient.class)
@ConditionalOnBean(DynamoDbConnectionDetails.class)
@ConditionalOnMissingBean(DynamoDbClient.class)
public final class DynamoDbLockConnectionAutoConfiguration {

	/** The bean name of the client. */
	static final String CLIENT = "connectionDynamoDbClient";

	@Bean(CLIENT)
	DynamoDbClient connectionDynamoDbClient(DynamoDbConnectionDetails connection) {
		return new DynamoDbClientFactory().create(connection, (builder) -> {
			// Proxies and endpoint variants of the environment are meant for AWS.
			ProxyConfiguration noProxy = ProxyConfiguration.builder()
				.useSystemPropertyValues(false)
				.useEnvironmentVariableValues(false)
				.build();
			builder.fipsEnabled(false)
				.dualstackEnabled(false)
				.httpClientBuilder(Apache5HttpClient.builder().proxyConfiguration(noProxy));
		});
	}

}
