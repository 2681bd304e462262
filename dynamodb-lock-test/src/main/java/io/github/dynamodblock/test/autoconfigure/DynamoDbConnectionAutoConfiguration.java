/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Makes the {@link DynamoDbClient} of a service connection, the bean
 * {@code testDynamoDbClient}. It comes before Spring Cloud AWS's client and before the
 * embedded DynamoDB, which back off, and itself backs off from the application's own
 * client. Whether locks are enabled plays no part: who connects a container wants no
 * other DynamoDB to be called.
 */
@AutoConfiguration(before = EmbeddedDynamoDbAutoConfiguration.class,
		beforeName = { "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration",
				"io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockFallbackClientAutoConfiguration" })
@ConditionalOnBean(DynamoDbConnectionDetails.class)
@ConditionalOnMissingBean(DynamoDbClient.class)
public final class DynamoDbConnectionAutoConfiguration {

	@Bean
	DynamoDbClient testDynamoDbClient(DynamoDbConnectionDetails connection) {
		// A proxy or endpoint variant of the environment is meant for AWS.
		ProxyConfiguration noProxy = ProxyConfiguration.builder()
			.useSystemPropertyValues(false)
			.useEnvironmentVariableValues(false)
			.build();
		return DynamoDbClient.builder()
			.endpointOverride(connection.getEndpoint())
			.region(Region.of(connection.getRegion()))
			.credentialsProvider(StaticCredentialsProvider
				.create(AwsBasicCredentials.create(connection.getAccessKey(), connection.getSecretKey())))
			.fipsEnabled(false)
			.dualstackEnabled(false)
			.httpClientBuilder(Apache5HttpClient.builder().proxyConfiguration(noProxy))
			.build();
	}

}
